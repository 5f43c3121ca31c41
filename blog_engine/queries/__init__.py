"""Reads of the database: querysets and frozen dataclasses. Nothing here writes."""
