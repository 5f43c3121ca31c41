"""Slugs that are made from a title or name, by the rules of its language."""

from blog_engine.conf import get_settings
from blog_engine.content.text import slug_from_name, slug_from_title


def slug_for_post(title: str, *, language: str) -> str:
    """Return the slug for the title of a post in a language; an empty one is that of the blog."""
    return slug_from_title(title, language=language or get_settings().language)


def slug_for_record(name: str, *, kind: str) -> str:
    """Return the slug for the name of a tag, category, series or author, which is in the language of the blog."""
    return slug_from_name(name, kind=kind, language=get_settings().language)
