"""Exporting a blog as files, and restoring it from them."""
