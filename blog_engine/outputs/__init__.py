"""The answers of operations."""
