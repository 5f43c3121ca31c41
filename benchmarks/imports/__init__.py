"""The cost of an import."""
