"""Who an author is, on the author's own page (reader.md 3)."""

from dataclasses import dataclass

from blog_engine.addresses import Addresses
from blog_engine.models import Author
from blog_engine.reader.cards import avatar_url, initials_of
from blog_engine.reader.links import is_safe_link


@dataclass(frozen=True, slots=True)
class Profile:
    """An author's picture, or initials instead of it, and the profiles elsewhere that are safe to link."""

    name: str
    initials: str
    avatar_url: str | None
    links: tuple[str, ...]


def describe_profile(author: Author, *, here: Addresses) -> Profile:
    """What the page shows beside the name and the bio; one query for an avatar that was not read with the author."""
    return Profile(
        name=author.name,
        initials=initials_of(author.name),
        avatar_url=avatar_url(author, here=here),
        links=tuple(url for url in author.profile_urls if is_safe_link(url)),
    )
