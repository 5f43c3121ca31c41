"""Which post an adoption is for, and whether it may be (records.md 12, identity)."""

from dataclasses import dataclass

from django.db.models import QuerySet

from blog_engine.errors import AlreadyChangedInGem, IdentityConflict
from blog_engine.inputs.adoption import AdoptPost
from blog_engine.inputs.posts import SavePost
from blog_engine.models import Baseline, Post
from blog_engine.services._adoption_redirects import was_moved_here
from blog_engine.services._target import find_selected, lock_selected, upsert_id
from blog_engine.services._transaction import lock_source
from blog_engine.vocabulary import ApprovalKind, EntryType, PostStatus

_TAKEN_OVER = (PostStatus.DRAFT, PostStatus.SCHEDULED)


@dataclass(frozen=True, slots=True)
class Target:
    """The post to adopt, ``None`` for a new one, and the baseline of the earlier adoption that this one repeats."""

    post: Post | None = None
    baseline: Baseline | None = None


def find_target(data: AdoptPost, snapshot: SavePost) -> Target:
    """What ``lock_target`` would give now; locks nothing."""
    post = find_selected(_selected_id(data, snapshot))
    return _adoptable(post, data) if post else Target()


def lock_target(data: AdoptPost, snapshot: SavePost) -> Target:
    """The post of the source, else the one that ``external_id`` or ``slug`` selects, locked.

    Raises ``IdentityConflict`` for a post that has records of its own or comes from another source, and when somebody
    else adopted the article meanwhile; ``AlreadyChangedInGem`` for a post that was changed here since its adoption.
    """
    post = lock_selected(lambda: _selected_id(data, snapshot))
    target = _adoptable(post, data) if post else Target()
    if target.baseline is None:
        lock_source(data.source_system, data.source_id)
        if _of_source(data).exists():
            raise IdentityConflict(
                ["source_system", "source_id"], hint="Somebody adopted it just now: send the same call again."
            )
    return target


def _selected_id(data: AdoptPost, snapshot: SavePost) -> int | None:
    by_source = _of_source(data).values_list("post_id", flat=True).first()
    return upsert_id(snapshot) if by_source is None else by_source


def _of_source(data: AdoptPost) -> QuerySet[Baseline]:
    return Baseline.objects.filter(source_system=data.source_system, source_id=data.source_id)


def _adoptable(post: Post, data: AdoptPost) -> Target:
    baseline = Baseline.objects.filter(post=post).first()
    field = "external_id" if data.external_id is not None and data.external_id == post.external_id else "slug"
    if baseline is None:
        if PostStatus(post.status) not in _TAKEN_OVER or _has_records(post):
            hint = f"That post has a history of its own, which no import replaces: send another {field}."
            raise IdentityConflict([field], hint=hint)
    elif (baseline.source_system, baseline.source_id) != (data.source_system, data.source_id):
        hint = f"That post was adopted as another source_system and source_id: mend these, or send another {field}."
        raise IdentityConflict([field], hint=hint)
    elif _was_changed_here(post, baseline):
        raise AlreadyChangedInGem
    return Target(post, baseline)


def _has_records(post: Post) -> bool:
    return any(rows.exists() for rows in (post.revisions, post.publications, post.approvals, post.declarations))


def _was_changed_here(post: Post, baseline: Baseline) -> bool:
    """Whether the post was withdrawn, published again, reviewed or moved since its adoption."""
    return (
        post.status != PostStatus.PUBLISHED
        or post.publications.exclude(entry_type=EntryType.ADOPTED.value).exists()
        or post.approvals.filter(kind=ApprovalKind.SENT.value).exists()
        or was_moved_here(post, baseline)
    )
