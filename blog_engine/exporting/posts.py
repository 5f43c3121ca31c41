"""Posts with what their pages show, a batch at a time."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any, Final

from django.db.models import Max, Min, Q

from blog_engine.blog_urls import stored_post_path
from blog_engine.content.faq import FaqPair
from blog_engine.content.options import ImageOrigin
from blog_engine.enums import EntryType
from blog_engine.models import Author, ConnectionDeclaration, Faq, Post, PostTag, Publication, Redirect, Translation
from blog_engine.queries.articles import BodyImageOrigin, origins_of_bodies
from blog_engine.queries.posts import reviewed
from blog_engine.queries.redirects import path_key
from blog_engine.queries.remembered import named_authors
from blog_engine.queries.translations import translation_groups

BATCH: Final = 100

_NOT_EXPORTED: Final = (
    *("body_html", "outline", "body_facts", "body_image_manifest", "search_text", "public_revision__payload"),
    *("indexed_title", "indexed_description", "indexed_faq", "indexed_body"),
)
_ANNOUNCED: Final = Q(entry_type__in=[kind.value for kind in EntryType if kind is not EntryType.MAINTENANCE])


@dataclass(slots=True)
class ExportedPost:
    """A post, and the rows around it."""

    post: Post
    tags: list[tuple[str, str]] = field(default_factory=list)
    """Slugs and names, in order."""
    faq: list[FaqPair] = field(default_factory=list)
    corrections: list[Publication] = field(default_factory=list)
    images: list[BodyImageOrigin] = field(default_factory=list)
    """The stored images of its body of whose origin something is said."""
    declaration: ConnectionDeclaration | None = None
    former_paths: list[str] = field(default_factory=list)
    """The paths that redirect to the post, as they are stored."""
    first_public: datetime | None = None
    """When it first became public here."""
    announced: datetime | None = None
    """When it was last published with a change that feeds announce."""
    versions: tuple[Translation, ...] = ()
    """The public versions in all languages, itself first; empty for the only one."""

    @property
    def origins(self) -> dict[str, ImageOrigin]:
        """The origins of the images of its body by SHA-256."""
        return {image.sha256: image.origin for image in self.images}


def exported_posts(alias: str) -> Iterator[ExportedPost]:
    """Yield all posts by id; eight queries for each batch, and one for its coauthors if it has any."""
    posts = Post.objects.using(alias).order_by("pk").defer(*_NOT_EXPORTED).annotate(is_reviewed=reviewed())  # type: ignore[no-redef]  # Post declares it for readers
    related = posts.select_related("author", "category", "series", "cover_image", "social_image", "public_revision")
    stored = related.iterator(BATCH)
    while batch := list(islice(stored, BATCH)):
        yield from _with_surroundings(batch, alias)


def _with_surroundings(batch: Sequence[Post], alias: str) -> Iterator[ExportedPost]:
    found = {post.pk: ExportedPost(post) for post in batch}
    of_batch: dict[str, Any] = {"post__in": list(found)}
    tags = (
        PostTag.objects.using(alias).filter(**of_batch).order_by("id").values_list("post_id", "tag__slug", "tag__name")
    )
    for post_id, slug, name in tags:
        found[post_id].tags.append((slug, name))
    for row in Faq.objects.using(alias).filter(**of_batch).order_by("post", "position"):
        found[row.post_id].faq.append(FaqPair(question=row.question, answer=row.answer))
    publications = Publication.objects.using(alias).filter(**of_batch)
    for entry in publications.filter(entry_type=EntryType.CORRECTION.value).order_by("occurred_at", "id"):
        found[entry.post_id].corrections.append(entry)
    for declaration in ConnectionDeclaration.objects.using(alias).filter(**of_batch).order_by("id"):
        found[declaration.post_id].declaration = declaration
    for post_id, image in origins_of_bodies(list(found), alias=alias):
        found[post_id].images.append(image)
    moments = publications.order_by().values("post_id")
    for dates in moments.annotate(first=Min("occurred_at"), last=Max("occurred_at", filter=_ANNOUNCED)):
        one = found[dates["post_id"]]
        one.first_public, one.announced = dates["first"], dates["last"]
    coauthors = Author.objects.using(alias).in_bulk({pk for post in batch for pk in post.coauthor_ids})
    for post in batch:
        post.coauthors = named_authors(post, coauthors)
    former = _former_paths([post.slug for post in batch], alias)
    groups = translation_groups({post.translation_group for post in batch}, alias=alias)
    for one in found.values():
        if group := groups.get(one.post.translation_group or ""):
            one.versions = group.versions_of(one.post.slug)
        one.former_paths = former.get(stored_post_path(one.post.slug), [])
        yield one


def _former_paths(slugs: Sequence[str], alias: str) -> dict[str, list[str]]:
    paths = [stored_post_path(slug) for slug in slugs]
    rows = Redirect.objects.using(alias).filter(new_key__in=[path_key(path) for path in paths]).order_by("id")
    former: defaultdict[str, list[str]] = defaultdict(list)
    for new_path, old_path in rows.values_list("new_path", "old_path"):
        former[new_path or ""].append(old_path)
    return former
