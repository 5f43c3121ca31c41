"""The public pages, from URL to HTML (reader.md). Reads through queries, never writes content."""
