"""Facts of an adopted post: its content, its past, and the paths that it had."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.timezone import localdate

from blog_engine.blog_urls import reserved_slugs, stored_post_path
from blog_engine.enums import ApprovalKind, RedirectSource
from blog_engine.errors import SlugReserved
from blog_engine.inputs.adoption import AdoptPost, OldSlug
from blog_engine.inputs.posts import ConnectionsInput, ContentFields, SavePost
from blog_engine.models import Approval, Baseline, Category, Post, Redirect
from blog_engine.models.base import whole_milliseconds
from blog_engine.queries.articles import latest_declaration
from blog_engine.queries.redirects import is_post_path, path_key
from blog_engine.rules.content_fields import REVISION_COLUMNS
from blog_engine.services._edit import Edit, columns_of
from blog_engine.services._history import connections_of
from blog_engine.services._transaction import lock_redirects
from blog_engine.services.redirects import create_redirect

_EMPTY: dict[str, object] = {
    **{column.name: column.get_default() for column in Post._meta.concrete_fields if column.has_default()},
    "faq": (),
    "tags": (),
}
"""What content is when it is left out; any other field is null."""


def snapshot_of(data: AdoptPost) -> SavePost:
    """Return the content as a write that sends every field, so that an import clears what it leaves out.

    The translation group stays: the other posts of it may have been adopted later.
    """
    names = ContentFields.model_fields.keys() - ({"translation_of"} - data.model_fields_set)
    content: dict[str, Any] = {name: _sent_or_empty(data, name) for name in ContentFields.model_fields if name in names}
    content |= {"provenance": data.provenance, "provenance_evidence": provenance_evidence(data)}
    return SavePost.model_construct(**content)


def provenance_evidence(data: AdoptPost) -> str | None:
    """Return the evidence that was sent, or a sentence about who declared it."""
    if data.provenance_evidence is None and data.declaration is not None:
        return f"Declared by {data.declaration.declared_by} on {data.declaration.declared_on.isoformat()}."
    return data.provenance_evidence


def baseline_facts(data: AdoptPost) -> dict[str, Any]:
    """Return the columns of the baseline: no time without evidence, but evidence also without a time."""
    declaration = data.declaration
    return {
        "provenance": data.provenance.value,
        "provenance_evidence": provenance_evidence(data),
        "first_published_at": data.first_published_at if data.first_published_evidence else None,
        "first_published_evidence": data.first_published_evidence,
        "declared_first_published_at": declaration.declared_first_published_at if declaration else None,
        "last_modified_at": data.last_modified_at if data.last_modified_evidence else None,
        "last_modified_evidence": data.last_modified_evidence,
        "source_system": data.source_system,
        "source_id": data.source_id,
        "source_body_sha256": data.source_body_sha256,
    }


def undated(data: AdoptPost) -> tuple[str, ...]:
    """Return the names of the times that were sent without evidence, which no record keeps."""
    dated = {"first_published_at": data.first_published_evidence, "last_modified_at": data.last_modified_evidence}
    return tuple(name for name, evidence in dated.items() if getattr(data, name) and not evidence)


def approval_facts(data: AdoptPost) -> dict[str, Any] | None:
    """Return the columns of the earlier approval, declared or imported; ``None`` if there was none."""
    review = data.declaration or data.imported_approval
    if review is None:
        return None
    declaration, imported = data.declaration, data.imported_approval
    return {
        "kind": (ApprovalKind.DECLARED if declaration else ApprovalKind.IMPORTED).value,
        "reviewer_name": review.reviewer_name,
        "facts_checked": review.facts_checked,
        "approved_at": review.approved_at,
        "declared_on": declaration.declared_on if declaration else None,
        "declared_by": declaration.declared_by if declaration else None,
        "confirmed_by": imported.confirmed_by if imported else None,
        "evidence": imported.evidence if imported else None,
    }


def _sent_or_empty(data: AdoptPost, name: str) -> object:
    value = getattr(data, name)
    return _EMPTY.get(name) if value is None else value


_COMPARED = AdoptPost.model_fields.keys() & {column.name for column in Post._meta.concrete_fields} - {*REVISION_COLUMNS}


def repeats(edit: Edit, data: AdoptPost, baseline: Baseline) -> bool:
    """Return whether the derived edit, its records and its declaration are what the earlier adoption left.

    Content is compared by its revision identifier; ``are_stored`` compares the redirects.
    """
    columns = columns_of(edit.post)
    return (
        edit.post.current_revision_identifier == edit.before.public_identifier
        and all(columns[name] == edit.stored[name] for name in _COMPARED)
        and set(edit.stored_tags.values()) == set(edit.tags or ())
        and category_to_describe(edit, data) is None
        and _records(baseline, baseline_facts(data))
        and _has_approval(edit, data)
        and declaration_to_append(edit, data) is None
    )


def category_to_describe(edit: Edit, data: AdoptPost) -> Category | None:
    """Return the category of the post if it has no description yet and the adoption has one for it."""
    category = edit.post.category
    if data.category_description is None or category is None or category.description.strip():
        return None
    return category


def declaration_to_append(edit: Edit, data: AdoptPost) -> ConnectionsInput | None:
    """Return the declaration that was sent, unless it is in force; one without a day equals one of any day."""
    sent = data.connections
    last = latest_declaration(edit.post)
    if sent is None or last is None:
        return sent
    stored = (last.connections, last.third_party_paid, last.declared_by)
    says_the_same = stored == (connections_of(sent), sent.third_party_paid, sent.declared_by)
    return None if says_the_same and sent.declared_on in (None, last.declared_on) else sent


def _has_approval(edit: Edit, data: AdoptPost) -> bool:
    facts = approval_facts(data)
    stored = list(Approval.objects.filter(post=edit.post))
    if facts is None or len(stored) != 1:
        return facts is None and not stored
    return _records(stored[0], facts)


def _records(stored: Baseline | Approval, facts: Mapping[str, object]) -> bool:
    """Return whether the row has these values, times to the millisecond."""
    return all(_recorded(getattr(stored, name)) == _recorded(value) for name, value in facts.items())


def _recorded(value: object) -> object:
    return whole_milliseconds(value) if isinstance(value, datetime) else value


_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class FormerPath:
    """A stored path that the article had, and the day on which it moved away from there."""

    path: str
    moved_on: date


def former_paths(
    old_slugs: tuple[OldSlug, ...], old_paths: Sequence[str], *, post: Post, baseline: Baseline | None, now: datetime
) -> list[FormerPath]:
    """Return the paths that are to redirect to the post; an unknown day is that of the first adoption that named it.

    Locks the redirects. Raises ``SlugReserved`` for a path that the blog, another post or another redirect uses.
    """
    lock_redirects()
    moves = {stored_post_path(one.slug): one.moved_on for one in old_slugs} | dict.fromkeys(old_paths)
    rows = list(Redirect.objects.filter(old_key__in=[path_key(path) for path in moves]))
    taken = _taken({one.slug for one in old_slugs}, old_paths, rows, post=post, is_repeat=baseline is not None)
    if taken:
        raise SlugReserved(hint=_to_leave_out(sorted(taken)))
    known = {row.old_path: row.occurred_on for row in rows}
    day = localdate(baseline.adopted_at if baseline else now)
    return [FormerPath(path, moved_on or known.get(path, day)) for path, moved_on in moves.items()]


def are_stored(paths: list[FormerPath], *, post: Post) -> bool:
    """Return whether the redirects of the earlier adoption are exactly these."""
    stored = {(row.old_path, row.occurred_on) for row in _of_adoption(post)}
    return stored == {(one.path, one.moved_on) for one in paths}


def rewrite(paths: list[FormerPath], *, post: Post, now: datetime) -> None:
    """Replace the redirects of an earlier adoption by these."""
    _of_adoption(post).delete()
    Redirect.objects.filter(post=post, old_key__in=[path_key(one.path) for one in paths]).delete()
    target = stored_post_path(post.slug)
    for one in paths:
        create_redirect(one.path, target, source=RedirectSource.ADOPTION, occurred_on=one.moved_on, post=post, now=now)


def claim_moves(post: Post, *, now: datetime) -> None:
    """Mark the moves of the article as made by this adoption, so that ``was_moved_here`` ignores them."""
    post.redirects.filter(source=RedirectSource.SLUG_CHANGE.value).update(created_at=now)


def was_moved_here(post: Post, baseline: Baseline) -> bool:
    """Return whether the post has a redirect that no adoption made."""
    # The millisecond of the adoption, as records have it, not a time before it: a writer that waited for the lock began
    # earlier.
    adopted = whole_milliseconds(baseline.adopted_at)
    of_then = {"created_at__gte": adopted, "created_at__lt": adopted + timedelta(milliseconds=1)}
    claimed = Q(source=RedirectSource.SLUG_CHANGE.value, **of_then)
    return post.redirects.exclude(source=RedirectSource.ADOPTION.value).exclude(claimed).exists()


def _taken(slugs: set[str], paths: Sequence[str], rows: list[Redirect], *, post: Post, is_repeat: bool) -> set[str]:
    # A repeat finds the redirects of the earlier adoption, and of an earlier repeat that moved the article.
    own = {RedirectSource.ADOPTION, RedirectSource.SLUG_CHANGE} if is_repeat else {RedirectSource.ADOPTION}
    foreign = {row.old_key for row in rows if post.pk is None or row.post_id != post.pk or row.source not in own}
    return (
        {slug for slug in slugs if path_key(stored_post_path(slug)) in foreign}
        | {path for path in paths if path_key(path) in foreign or is_post_path(path)}
        | (slugs & reserved_slugs())
        | set(Post.objects.exclude(pk=post.pk).filter(slug__in=slugs).values_list("slug", flat=True))
    )


def _to_leave_out(taken: list[str]) -> str:
    more = f" and {len(taken) - _MOST_NAMED} more" if len(taken) > _MOST_NAMED else ""
    names = ", ".join(taken[:_MOST_NAMED]) + more
    return f"Leave {names} out of old_slugs: the blog, another post or another redirect has that path."


def _of_adoption(post: Post) -> QuerySet[Redirect]:
    return Redirect.objects.filter(post=post, source=RedirectSource.ADOPTION.value)
