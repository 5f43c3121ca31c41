"""The public pages, from URL to HTML."""
