"""A write that takes the content of an earlier version (posts.restore)."""

from typing import Final, TypeVar

from blog_engine.actor import Actor, Scope
from blog_engine.errors import ValidationFailed
from blog_engine.inputs.posts import UpdatePost
from blog_engine.queries.posts import post_with_key
from blog_engine.queries.restored import content_to_restore
from blog_engine.queries.versions import version_to_restore

_D = TypeVar("_D", bound=UpdatePost)

_GOES_WITH_IT: Final = frozenset(
    {
        *("id", "restore", "propose", "expected_revision", "expected_version", "dry_run"),
        *("change", "change_description", "note", "made_by_ai", "approval"),
    }
)
"""Fields that say nothing of the content."""


def with_restored_content(data: _D, name: str, *, actor: Actor) -> _D:
    """Return the write with the content of the version with this identifier, or a prefix of it.

    Call it before anything is locked: the content of a version never changes. Raises ``ScopeRequired``,
    ``NotFound``, and ``ValidationFailed(["restore"])`` for an unknown version and for other content beside it.
    """
    if Scope.PUBLISH not in actor.scopes:
        # Which of both it takes depends on the post; the message names versions.
        actor.require(Scope.WRITE)
    if others := [name for name in type(data).model_fields if name in data.model_fields_set - _GOES_WITH_IT]:
        raise ValidationFailed(
            ["restore"], hint=f"It brings the whole content: leave out {', '.join(others)}, or send another write."
        )
    post = post_with_key(data.id)
    version = version_to_restore(post.pk, name)
    fields = content_to_restore(version, post)
    if data.propose:
        _refuse_other_format(fields)
        # A proposal keeps the first author.
        fields.pop("author", None)
    if data.made_by_ai is None and version.made_by_ai is not None:
        fields["made_by_ai"] = version.made_by_ai
    restored = UpdatePost.from_data({"id": data.id} | fields)
    return data.model_copy(update={name: getattr(restored, name) for name in fields})


def _refuse_other_format(fields: dict[str, object]) -> None:
    if "body_format" in fields:
        raise ValidationFailed(
            ["restore"], hint=f"That version is {fields['body_format']}, which a proposal cannot change."
        )
