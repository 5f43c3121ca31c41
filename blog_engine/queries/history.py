"""The history of a post and the content of its revisions."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from blog_engine.content.faq import FaqPair
from blog_engine.content.revision import ImageEntry, RevisionContent
from blog_engine.enums import EntryType
from blog_engine.models import UNDATED, Approval, Baseline, ConnectionDeclaration, Post, Publication, Revision
from blog_engine.queries.images import BodyImageEntry, stored_image_entry


@dataclass(frozen=True, slots=True)
class History:
    """All records of one post, each list in insertion order (records.md section 8)."""

    revisions: list[Revision]
    approvals: list[Approval]
    publications: list[Publication]
    baseline: Baseline | None
    connections: list[ConnectionDeclaration]


def history_of(post_id: int) -> History:
    """The history of a post, in five queries; payloads are left in the database."""
    return History(
        revisions=list(Revision.objects.filter(post=post_id).defer("payload").order_by("id")),
        approvals=list(Approval.objects.filter(post=post_id).select_related("revision").defer("revision__payload")),
        publications=list(
            Publication.objects.filter(post=post_id).select_related("revision").defer("revision__payload")
        ),
        baseline=Baseline.objects.filter(post=post_id).first(),
        connections=list(ConnectionDeclaration.objects.filter(post=post_id)),
    )


def is_retained(post: Post) -> bool:
    """Whether the post has any record that outlives it, so that it is archived and never deleted (records.md 5.1)."""
    return (
        post.public_revision_id is not None
        or any(
            related.exists()
            for related in (post.revisions, post.approvals, post.publications, post.declarations, post.redirects)
        )
        or Baseline.objects.filter(post=post).exists()
    )


@dataclass(frozen=True, slots=True)
class PublicDates:
    """The two dates readers see, derived from the history alone (reader.md 15)."""

    published_at: datetime | None
    modified_at: datetime | None

    @property
    def listed_at(self) -> datetime:
        """Where the post stands in lists: one without a known date comes last."""
        return self.published_at or UNDATED


def public_dates(post: Post) -> PublicDates:
    """Recompute the dates of a post from its publications and baseline (records.md 5.2, point 4)."""
    entries = Publication.objects.filter(post=post).only("entry_type", "occurred_at").order_by("id")
    return dates_of(entries, Baseline.objects.filter(post=post).first())


def dates_of(publications: Iterable[Publication], baseline: Baseline | None) -> PublicDates:
    """The dates that publications in insertion order and a baseline give; reads nothing (records.md 5.2, point 4)."""
    first = changed = None
    for entry in publications:
        if entry.entry_type == EntryType.FIRST:
            first = first or entry.occurred_at
        elif entry.entry_type in (EntryType.SUBSTANTIVE, EntryType.CORRECTION):
            changed = entry.occurred_at
    published = first or (baseline and (baseline.first_published_at or baseline.declared_first_published_at)) or None
    modified = changed or (baseline and baseline.last_modified_at) or published
    return PublicDates(published_at=published, modified_at=modified)


def content_of(post: Post, *, faq: Iterable[FaqPair]) -> RevisionContent:
    """What the revision of a post with these questions holds; reads the two images if they are not loaded."""
    return RevisionContent(
        title=post.title,
        description=post.description,
        search_title=post.search_title,
        search_description=post.search_description,
        author=post.author_name,
        body=post.body,
        faq=tuple(faq),
        images=tuple(_image_entries(post)),
    )


def _image_entries(post: Post) -> list[ImageEntry]:
    entries: list[ImageEntry] = []
    if post.cover_image:
        entries.append(stored_image_entry(post.cover_image, role="cover", alt=post.cover_alt))
    manifest: list[BodyImageEntry] = post.body_image_manifest
    entries += [ImageEntry(role="body", url=one["url"], sha256=one["sha256"], alt=one["alt"]) for one in manifest]
    if post.social_image:
        entries.append(stored_image_entry(post.social_image, role="social", alt=""))
    return entries
