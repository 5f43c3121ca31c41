"""Filters for the blog's templates."""
