"""Reading folders of Markdown: Hugo, Jekyll, Astro, Eleventy, Pelican and plain ones."""
