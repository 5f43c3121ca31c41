"""Image files: check bytes, store originals, and draw the variants for pages."""
