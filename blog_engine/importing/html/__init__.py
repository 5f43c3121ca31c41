"""Converting the HTML of another blog to Markdown or rich text, without silent losses."""
