"""Importing the blog of another system: WordPress, Ghost, or folders of Markdown."""
