"""Text in, text out: slugs, identifiers, rendering and plain text. Knows no database, settings or request."""
