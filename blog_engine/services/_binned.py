"""A removed draft as it waits in the bin, and what of it can come back."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from blog_engine.actor import Actor
from blog_engine.conf import get_settings
from blog_engine.content.faq import FaqPair
from blog_engine.content.text import in_utc
from blog_engine.inputs.posts import SavePost
from blog_engine.models import Author, Category, DraftVersion, Image, Post, Remark, RemovedDraft, Series, Tag
from blog_engine.queries.bin import binned_since
from blog_engine.queries.posts import faq_rows, taggings_of
from blog_engine.rules.proposals import proposable_values
from blog_engine.rules.writers import writer_of

_RECORDS: Final[dict[str, type[Author | Category | Series | Image]]] = {
    "author": Author,
    "category": Category,
    "series": Series,
    "cover_image": Image,
    "social_image": Image,
}
"""The fields that name one other record."""

_ENTRY: Final = {column.attname: column for column in Remark._meta.concrete_fields if column.name != "post"}


def put_in_bin(post: Post, *, actor: Actor, now: datetime) -> None:
    """Keep a locked draft that is about to be deleted; what waited too long is deleted now."""
    faq = [FaqPair(question=row.question, answer=row.answer) for row in faq_rows(post.pk)]
    tags = [tagging.tag for tagging in taggings_of(post.pk)]
    fields = proposable_values(post, faq=faq, tags=[tag.name for tag in tags]) | {
        "tags": [{"id": tag.pk, "name": tag.name} for tag in tags],
        "author_name": post.author_name,
        "coauthors": [{"id": pk, "name": name} for pk, name in zip(post.coauthor_ids, post.byline[1:], strict=False)],
        "external_id": post.external_id,
        "translation_group": post.translation_group,
        "made_by_ai": post.unrecorded_made_by_ai,
        "written_by": post.unrecorded_actor,
        "writer": writer_of(post)[1:],
        "version": post.version,
        "created_at": in_utc(post.created_at, "milliseconds"),
        "conversation": [_kept_entry(entry) for entry in Remark.objects.filter(post=post.pk).order_by("pk")],
    }
    fields |= {name: getattr(post, f"{name}_id") for name in _RECORDS}
    RemovedDraft.objects.create(
        post=post.pk, title=post.title, excerpt=post.excerpt, fields=fields, actor=actor.name, removed_at=now
    )
    empty_bin(now=now)


def _kept_entry(entry: Remark) -> dict[str, Any]:
    values = {name: getattr(entry, name) for name in _ENTRY}
    return {
        name: in_utc(value, "milliseconds") if isinstance(value, datetime) else value for name, value in values.items()
    }


def bring_conversation_back(post: Post, entries: list[dict[str, Any]]) -> None:
    """Store the conversation about a draft again, with the ids that it had."""
    for kept in entries:
        entry = Remark(post=post, **{name: _ENTRY[name].to_python(value) for name, value in kept.items()})
        entry.store()
        post.open_remarks += entry.is_open
    if post.open_remarks:
        post.store(update_fields=["open_remarks"])


def empty_bin(*, now: datetime) -> int:
    """Delete the drafts that waited in the bin too long, with their versions, and return their number."""
    gone = list(RemovedDraft.objects.filter(removed_at__lt=binned_since(now=now)).values_list("post", flat=True)[:500])
    if gone:
        DraftVersion.objects.filter(post__in=gone).delete()
        RemovedDraft.objects.filter(post__in=gone).delete()
    return len(gone)


@dataclass
class ReturningDraft:
    """The parts of a removed draft that can come back."""

    fields: dict[str, Any]
    """As the bin has them."""
    author: Author | None = None
    coauthors: list[tuple[Author, str]] = field(default_factory=list)
    """With the names of the byline."""
    category: Category | None = None
    series: Series | None = None
    tags: list[int] = field(default_factory=list)
    sent: dict[str, Any] = field(default_factory=dict)
    """The fields of a write."""
    missing: list[str] = field(default_factory=list)
    """The fields whose record, place or value is gone or taken."""

    def input_with(self, slug: str) -> SavePost:
        """Return the write that makes the draft again, at another path."""
        return SavePost.from_data(self.sent | {"slug": slug})


_AS_SENT: Final = (
    *(
        "title",
        "description",
        "search_title",
        "search_description",
        "body",
        "body_format",
        "cover_alt",
        "featured",
        "noindex",
    ),
    *("canonical_url", "language", "faq", "provenance", "provenance_evidence"),
)


def returning_draft(fields: dict[str, Any]) -> ReturningDraft:
    """Look up what still exists of the records that a removed draft named; at most nine queries."""
    draft = ReturningDraft(fields, sent={name: fields[name] for name in _AS_SENT if name in fields})
    for name, model in _RECORDS.items():
        row = model._default_manager.filter(pk=fields[name]).first() if fields[name] else None
        if fields[name] and row is None:
            draft.missing.append(name)
        elif isinstance(row, Image):
            draft.sent[name] = {"image_id": row.pk}
        elif row is not None:
            setattr(draft, name, row)
    if draft.author is not None:
        # So that no default author is made.
        draft.sent["author"] = {"name": draft.author.name}
    _take_coauthors(draft)
    _take_tags(draft)
    _take_place(draft)
    _take_identity(draft)
    if fields["made_by_ai"] is not None:
        draft.sent["made_by_ai"] = fields["made_by_ai"]
    return draft


def _take_coauthors(draft: ReturningDraft) -> None:
    # A draft that waits in the bin since an earlier release has none.
    wanted = draft.fields.get("coauthors", [])
    stored = Author.objects.in_bulk([one["id"] for one in wanted]) if wanted else {}
    draft.coauthors = [(stored[one["id"]], one["name"]) for one in wanted if one["id"] in stored]
    if len(draft.coauthors) < len(wanted):
        draft.missing.append("coauthors")


def _take_tags(draft: ReturningDraft) -> None:
    wanted = [tag["id"] for tag in draft.fields["tags"]]
    stored = set(Tag.objects.filter(pk__in=wanted).values_list("pk", flat=True)) if wanted else set[int]()
    draft.tags = [pk for pk in wanted if pk in stored]
    if len(draft.tags) < len(wanted):
        draft.missing.append("tags")


def _take_place(draft: ReturningDraft) -> None:
    position = draft.fields["series_position"]
    is_gone = draft.series is None and draft.fields["series"]
    if position is None or is_gone:
        return
    if draft.series is not None and Post.objects.filter(series=draft.series, series_position=position).exists():
        draft.missing.append("series_position")
    else:
        draft.sent["series_position"] = position


def _take_identity(draft: ReturningDraft) -> None:
    external_id, group = draft.fields["external_id"], draft.fields["translation_group"]
    if external_id:
        if Post.objects.filter(external_id=external_id).exists():
            draft.missing.append("external_id")
        else:
            draft.sent["external_id"] = external_id
    others = list(Post.objects.filter(translation_group=group).only("language").order_by("pk")) if group else []
    own = get_settings().language.lower()
    taken = {other.language.lower() or own for other in others}
    if group and (not others or (draft.fields["language"].lower() or own) in taken):
        draft.missing.append("translation_of")
    elif others:
        draft.sent["translation_of"] = str(others[0].pk)
