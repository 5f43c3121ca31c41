"""Authors as the API and the tools answer them (service.md section 2)."""

from blog_engine.addresses import Addresses
from blog_engine.models import Author
from blog_engine.outputs.base import Output
from blog_engine.outputs.embedded import ImageObject
from blog_engine.queries.paging import Listed
from blog_engine.vocabulary import AuthorType


class AuthorObject(Output):
    """An author; an empty bio is ``""``, an absent address or reference null.

    ``avatar`` is an image of the blog; a file that the host attached itself is null until it is imported
    (decisions.md 9.24).
    """

    id: int
    name: str
    slug: str
    type: AuthorType
    bio: str
    url: str | None
    profile_urls: list[str]
    avatar: ImageObject | None
    host_reference: str | None
    posts_count: int

    @classmethod
    def of(cls, author: Author, addresses: Addresses) -> "AuthorObject":
        """Of an author read by ``queries.authors``."""
        return cls(
            id=author.pk,
            name=author.name,
            slug=author.slug,
            type=AuthorType(author.type),
            bio=author.bio,
            url=author.url,
            profile_urls=author.profile_urls,
            avatar=ImageObject.of(author.avatar, addresses) if author.avatar else None,
            host_reference=author.host_reference,
            posts_count=author.posts_count,
        )


class AuthorList(Output):
    """One page of authors."""

    authors: list[AuthorObject]
    page: int
    per_page: int
    total: int

    @classmethod
    def of(cls, listed: Listed[Author], addresses: Addresses) -> "AuthorList":
        return cls(authors=[AuthorObject.of(row, addresses) for row in listed.rows], **listed.place)
