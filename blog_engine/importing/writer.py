"""Writing of a prepared post through the services: published ones are adopted, all others are drafts or scheduled."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, TypeVar

from blog_engine.actor import Actor
from blog_engine.blog_urls import stored_post_path
from blog_engine.conf import get_settings
from blog_engine.content.text import fold
from blog_engine.enums import PostStatus, RedirectSource
from blog_engine.errors import (
    AlreadyChangedInGem,
    Busy,
    IdentityConflict,
    Refusal,
    RevisionMismatch,
    SlugReserved,
    ValidationFailed,
)
from blog_engine.importing.images import FoundImage, Images
from blog_engine.importing.plan import Identity, Plan
from blog_engine.importing.preparer import PreparedPost
from blog_engine.importing.source import Loss, LossKind
from blog_engine.inputs.adoption import AdoptPost
from blog_engine.inputs.base import Input, parse
from blog_engine.inputs.posts import ContentFields, PublishPost, SavePost, UpdatePost
from blog_engine.inputs.records import CreateCategory, CreateSeries, SaveRedirect
from blog_engine.models import Baseline, Category, Image, Post, Redirect, Series
from blog_engine.queries.compiled import CompiledValues, Parameter
from blog_engine.queries.posts import tag_names
from blog_engine.queries.records import same_named
from blog_engine.queries.redirects import is_post_path, path_key
from blog_engine.rules.content_fields import CONTENT_FIELDS
from blog_engine.services import adopt_post, create_category, create_series, publish_post, save_draft, update_post

IMPORTER: Final = Actor("import_blog")
"""Who the history names."""

I = TypeVar("I", bound=Input)  # noqa: E741  # the usual letter for what goes in

_NEEDED: Final = frozenset(
    {"title", "body", "body_format", "slug", "source_system", "source_id", "external_id", "id", "publish_at"}
)
_ATTEMPTS: Final = 8
_DIGITS: Final = re.compile("[0-9a-f]{24}")
"""The ids of posts in Ghost's feeds, which are no URIs."""
_NUMBER: Final = re.compile("[0-9]+")
_RECORDS: Final[Mapping[str, tuple[Any, type[Input], Callable[..., Any]]]] = {
    "category": (Category, CreateCategory, create_category),
    "series": (Series, CreateSeries, create_series),
}
_FOLLOWS: Final = frozenset({RedirectSource.ADOPTION.value, RedirectSource.SLUG_CHANGE.value})


_CLEARED: Final[dict[str, Any]] = (
    dict.fromkeys(("category", "series"))
    | {"coauthors": (), "expires_at": None}
    | {one.name: one.empty for one in CONTENT_FIELDS if one.is_stored_as_sent and one.name not in {"title", "body"}}
)
"""What an update of a draft sends for fields that the source does not have."""
_COLUMNS: Final = {"body_format": ""} | {one.name: one.empty for one in CONTENT_FIELDS if one.is_stored_as_sent}
"""The fields that are columns, with what they are if they are not sent."""


class PostResult(StrEnum):
    """The result of a post."""

    PUBLISHED = "published"
    SCHEDULED = "scheduled"
    DRAFT = "draft"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    KEPT = "kept"
    """It changed here since an earlier run, and stays."""
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class WrittenPost:
    """The result of a post, and its paths."""

    result: PostResult
    slug: str
    old_paths: tuple[str, ...]
    """The paths that redirect to it."""
    losses: tuple[Loss, ...]


class _Kept(Exception):
    """The post changed here; the message says how."""


@dataclass(slots=True)
class _Work:
    """One attempt after the other to write a post."""

    prepared: PreparedPost
    slug: str
    values: dict[str, Any]
    losses: list[Loss] = field(default_factory=list)
    old_paths: tuple[str, ...] = ()
    path_losses: list[Loss] = field(default_factory=list)
    slug_losses: list[Loss] = field(default_factory=list)


class Writer:
    """Writes prepared posts."""

    def __init__(self, plan: Plan, images: Images, *, now: datetime) -> None:
        self._plan = plan
        self._images = images
        self._now = now

    def write(self, prepared: PreparedPost) -> WrittenPost:
        """Store a post if it is not stored so already; a refusal skips it."""
        work = _Work(prepared, prepared.planned.slug, dict(prepared.fields))
        refusal = prepared.refusal
        for _ in range(0 if refusal else _ATTEMPTS):
            try:
                return self._written(work, self._store(work))
            except (_Kept, AlreadyChangedInGem) as kept:
                how = kept if isinstance(kept, _Kept) else "The post changed here since it was imported."
                work.losses.append(Loss(LossKind.KEPT, f"{how} It is left as it is here."))
                return self._written(work, PostResult.KEPT)
            except (Busy, RevisionMismatch, IdentityConflict, SlugReserved) as taken:
                # Another writer was faster, perhaps another import of the same source.
                refusal = taken
                self._avoid(work, taken)
            except Refusal as fault:
                if fault.is_our_own_fault:
                    raise
                refusal = fault
                dropped = _dropped_for(fault, work.values) if isinstance(fault, ValidationFailed) else []
                if not dropped:
                    break
                work.losses += [_field_loss(name, fault) for name in dropped]
                for name in dropped:
                    del work.values[name]
        work.losses.append(Loss(LossKind.SKIPPED, f"The post was not imported: {refusal}"))
        work.old_paths = ()
        return self._written(work, PostResult.SKIPPED)

    def _written(self, work: _Work, result: PostResult) -> WrittenPost:
        losses = (*work.prepared.losses, *work.losses, *work.slug_losses, *work.path_losses)
        return WrittenPost(result, work.slug, work.old_paths, losses)

    def _avoid(self, work: _Work, refusal: Refusal) -> None:
        if "feed_id" in refusal.details and work.values.pop("feed_id", None) is not None:
            work.losses.append(_field_loss("feed_id", refusal))
        elif work.prepared.planned.stored is None and (isinstance(refusal, SlugReserved) or "slug" in refusal.details):
            self._rename(work)

    def _rename(self, work: _Work) -> None:
        before, work.slug = work.slug, self._plan.free_slug(work.slug, post_id=work.prepared.planned.id)
        message = f"The slug {before} was taken by another writer meanwhile: it is {work.slug} here."
        work.slug_losses.append(Loss(LossKind.SLUG, message))

    def _store(self, work: _Work) -> PostResult:
        found = _stored_post(work.prepared.identity)
        if found is None and Post.objects.filter(slug=work.slug).exists():
            self._rename(work)
        elif found is not None:
            work.slug, work.slug_losses = found.slug, []
        self._leave_taken_position(work, found)
        return self._adopt(work, found) if work.prepared.is_public else self._save(work, found)

    def _leave_taken_position(self, work: _Work, found: Post | None) -> None:
        position, series = work.values.get("series_position"), work.values.get("series")
        if position is None or series is None:
            return
        row = same_named(Series, series)
        holders = Post.objects.filter(series=row, series_position=position).exclude(pk=found.pk if found else 0)
        if row is not None and holders.exists():
            del work.values["series_position"]
            message = f"Another post has the position {position} in the series {series}: this one has none."
            work.losses.append(Loss(LossKind.FIELD, message))

    def _adopt(self, work: _Work, found: Post | None) -> PostResult:
        if found is not None and not hasattr(found, "baseline"):
            if found.status == PostStatus.PUBLISHED:
                raise _Kept("The post was published here.")
            if _is_edited_here(found) or found.status == PostStatus.ARCHIVED:
                raise _Kept("The post was a draft when it was imported, and changed here since.")
        prepared = work.prepared
        self._find_old_paths(work, found)
        identity = {
            "slug": work.slug,
            "source_system": prepared.identity.source_system,
            "source_id": prepared.identity.source_id,
            "external_id": prepared.identity.external_id,
        }
        values = {**work.values, **prepared.dates, **identity}
        feed_id = values.pop("feed_id") if _DIGITS.fullmatch(values.get("feed_id", "")) else None
        data, losses = _read_fields(AdoptPost, self._with_images(values, work, AdoptPost))
        adopted = adopt_post(
            data,
            actor=IMPORTER,
            now=self._now,
            base_url=get_settings().public_base_url or "",
            old_paths=work.old_paths,
            feed_id=feed_id,
        )
        work.losses += losses
        return {"new": PostResult.PUBLISHED, "replaced": PostResult.UPDATED, None: PostResult.UNCHANGED}[
            adopted.baseline
        ]

    def _find_old_paths(self, work: _Work, found: Post | None) -> None:
        """Work out which paths are to redirect to the post, and which cannot."""
        wanted, losses = self._plan.former_paths(work.prepared.planned, work.slug)
        rows = {row.old_key: row for row in Redirect.objects.filter(old_key__in=map(path_key, wanted))}
        paths: list[str] = []
        found_id = found.pk if found else 0
        for path in wanted:
            row = rows.get(path_key(path))
            leads_here = row is not None and row.new_path == stored_post_path(work.slug)
            # Another import of the same source may have stored post and redirect since the post was looked for.
            is_own = row is not None and row.source in _FOLLOWS and (leads_here or found_id == row.post_id)
            if row is not None and not is_own:
                if not leads_here:
                    message = f"{path} does not lead to the post: there is another redirect from it already."
                    losses.append(Loss(LossKind.REDIRECT, message))
            elif is_post_path(path):
                losses.append(Loss(LossKind.REDIRECT, f"{path} does not lead to the post: another post here has it."))
            else:
                try:
                    parse(SaveRedirect, {"old_path": path})
                except ValidationFailed as refusal:
                    losses.append(Loss(LossKind.REDIRECT, f"{path} cannot be a redirect: {refusal.hint}"))
                else:
                    paths.append(path)
        work.old_paths, work.path_losses = tuple(paths), losses

    def _save(self, work: _Work, found: Post | None) -> PostResult:
        """Store a draft or a scheduled post."""
        values = {name: value for name, value in work.values.items() if name in ContentFields.model_fields}
        if found is None:
            return self._create(work, values)
        publish_at = work.prepared.publish_at
        if found.status == PostStatus.SCHEDULED and found.publish_at == work.prepared.planned.post.published_at:
            # Its time may just have come.
            publish_at = found.publish_at
        if found.status in (PostStatus.PUBLISHED, PostStatus.ARCHIVED):
            raise _Kept(f"The post is {found.status} here, and not public in the source.")
        if not _differs(found, values, cover=work.prepared.cover, social=work.prepared.social, publish_at=publish_at):
            return PostResult.UNCHANGED
        if _is_edited_here(found):
            raise _Kept("The post changed here since it was imported.")
        # A time that it has already is not sent: it may have come.
        is_moved = found.status == PostStatus.SCHEDULED and found.publish_at != publish_at
        schedule = {"publish_at": publish_at} if is_moved else {}
        target = {"id": str(found.pk), "expected_version": found.version}
        sent = self._with_images({**_CLEARED, **values, **schedule, **target}, work, UpdatePost)
        data, losses = _read_fields(UpdatePost, sent)
        update_post(data, actor=IMPORTER, now=self._now)
        work.losses += losses
        if publish_at is not None and found.status == PostStatus.DRAFT:
            self._schedule(work, found.pk, publish_at)
        return PostResult.UPDATED

    def _create(self, work: _Work, values: dict[str, Any]) -> PostResult:
        # Version 0: it must not write to a post that got the slug meanwhile.
        sent = {**values, "slug": work.slug, "external_id": work.prepared.identity.external_id, "expected_version": 0}
        data, losses = _read_fields(SavePost, self._with_images(sent, work, SavePost))
        post = save_draft(data, actor=IMPORTER, now=self._now).post
        work.losses += losses
        if work.prepared.publish_at is None:
            return PostResult.DRAFT
        return self._schedule(work, post.pk, work.prepared.publish_at)

    def _schedule(self, work: _Work, post_id: int, publish_at: datetime) -> PostResult:
        """Schedule a draft; it stays one if the blog does not release it so."""
        data = parse(PublishPost, {"id": str(post_id), "publish_at": publish_at})
        try:
            publish_post(data, actor=IMPORTER, now=self._now)
        except Refusal as refusal:
            if refusal.is_our_own_fault:
                raise
            work.losses.append(Loss(LossKind.WITHHELD, f"The post is a draft, and not scheduled: {refusal}"))
            return PostResult.DRAFT
        return PostResult.SCHEDULED

    def _with_images(self, values: dict[str, Any], work: _Work, model: type[ContentFields]) -> dict[str, Any]:
        """Store the images of a post once its fields are known to be accepted, and return the fields with them."""
        _read_fields(model, values)
        for picture in work.prepared.pictures:
            self._images.store(picture, actor=IMPORTER, now=self._now)
        uses = {"cover_image": work.prepared.cover, "social_image": work.prepared.social}
        shown = {name: self._reference(picture) for name, picture in uses.items()}
        return _with_records(values, now=self._now) | shown

    def _reference(self, picture: FoundImage | None) -> dict[str, int] | None:
        return {"image_id": self._images.store(picture, actor=IMPORTER, now=self._now)} if picture else None


def _with_records(values: Mapping[str, Any], *, now: datetime) -> dict[str, Any]:
    """Return the values with the slugs of the category and the series, whose names a source has.

    A name that is the slug of another record, or a number, would be read as that record or as an id, so a record of
    such a name is created here.
    """
    slugs = {name: slug for name in _RECORDS if (slug := _record_slug(name, values.get(name), now=now))}
    return {**values, **slugs}


def _record_slug(kind: str, name: str | None, *, now: datetime) -> str | None:
    """Return the slug of the category or series with this name; ``None`` if the post itself can create it."""
    model, data, create = _RECORDS[kind]
    if not name:
        return None
    row = same_named(model, name)
    if row is None and (_NUMBER.fullmatch(name) or model._default_manager.filter(slug=name).exists()):
        try:
            row = create(parse(data, {"name": name}), actor=IMPORTER, now=now)
        except ValidationFailed:
            # Another writer created it meanwhile.
            row = same_named(model, name)
    return row.slug if row else None


def _read_fields(model: type[I], values: Mapping[str, Any]) -> tuple[I, list[Loss]]:
    """Return the input, without those optional fields that are not accepted, which are losses.

    Raises the ``Refusal`` of a field that a post needs.
    """
    losses: list[Loss] = []
    left = dict(values)
    while True:
        try:
            return parse(model, left), losses
        except Refusal as refusal:
            dropped = _optional_names(refusal, left)
            if not dropped:
                raise
            losses += [_field_loss(name, refusal) for name in dropped]
            left = {name: value for name, value in left.items() if name not in dropped}


def _optional_names(refusal: Refusal, sent: Iterable[str]) -> list[str]:
    """Return the fields that a refusal names if a post can do without all of them, else none."""
    names = list(dict.fromkeys(detail.partition(".")[0] for detail in refusal.details))
    return names if all(name in sent and name not in _NEEDED for name in names) else []


def _field_loss(name: str, refusal: Refusal) -> Loss:
    """Return the loss of a field that a post does without."""
    kind = LossKind.IMAGE if name.endswith("_image") else LossKind.FIELD
    return Loss(kind, f"{name} was left out: {refusal.hint or refusal.message}")


def _dropped_for(refusal: ValidationFailed, values: dict[str, Any]) -> list[str]:
    """Return the fields without which a refused post may be stored."""
    if refusal.details == ["language"] and "translation_of" in values:
        # Another version has the language: the post keeps it, and stays alone.
        return ["translation_of"]
    return _optional_names(refusal, values)


def _stored_post(identity: Identity) -> Post | None:
    # Two queries: one with an alternative over both tables would read every post.
    adopted = _ADOPTED.all(system=identity.source_system, id=identity.source_id)
    found = adopted or _KNOWN_OUTSIDE.all(id=identity.external_id)
    return Post.objects.get(pk=found[0]) if found else None


_ADOPTED: Final = CompiledValues(
    lambda: (
        Baseline.objects.filter(source_system=Parameter("system"), source_id=Parameter("id"))
        .order_by()
        .values_list("post_id")
    ),
    int,
)
_KNOWN_OUTSIDE: Final = CompiledValues(
    lambda: Post.objects.filter(external_id=Parameter("id")).order_by().values_list("pk"), int
)
"""Each import of a post asks these, nearly always in vain."""


def _is_edited_here(post: Post) -> bool:
    """Return whether somebody changed the content of a draft, or withdrew its schedule, since it was imported."""
    is_withdrawn = post.status == PostStatus.DRAFT and post.status_changes.exists()
    return is_withdrawn or post.unrecorded_actor != IMPORTER.name


def _differs(
    post: Post,
    values: Mapping[str, Any],
    *,
    cover: FoundImage | None,
    social: FoundImage | None,
    publish_at: datetime | None,
) -> bool:
    """Return whether a draft or scheduled post is not as the source has it; the slug is not compared."""
    return (
        any(getattr(post, name) != values.get(name, empty) for name, empty in _COLUMNS.items())
        or (post.publish_at if post.status == PostStatus.SCHEDULED else None) != publish_at
        or ("author" in values and fold(post.author_name) != fold(values["author"]["name"]))
        or list(map(fold, post.byline[1:])) != [fold(one["name"]) for one in values.get("coauthors", ())]
        or post.expires_at != values.get("expires_at")
        or not _is_named(post.category, values.get("category"))
        or not _is_named(post.series, values.get("series"))
        or {fold(name) for name in tag_names(post)} != {fold(name) for name in values.get("tags", ())}
        or _digest(post.cover_image) != (cover.sha256 if cover else None)
        or _digest(post.social_image) != (social.sha256 if social else None)
    )


def _is_named(row: Any, sent: str | None) -> bool:
    if row is None or sent is None:
        return row is None and sent is None
    return fold(sent) == fold(row.name)


def _digest(image: Image | None) -> str | None:
    return image.sha256 if image else None
