"""The versions of a post's content: its revisions, what is public and what is stored now."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from blog_engine.content.faq import FaqPair
from blog_engine.enums import NamedVersion
from blog_engine.errors import NotFound, ValidationFailed
from blog_engine.models import Post, Revision, when_public
from blog_engine.queries.posts import read_post
from blog_engine.rules.revision import content_of, revision_payload

_MOST_NAMED: Final = 3
"""Revisions that a refusal names."""


@dataclass(frozen=True, slots=True)
class PostVersion:
    """The content of a post at one time."""

    identifier: str
    payload: str
    actor: str | None
    made_by_ai: bool | None
    created_at: datetime | None
    """When the revision was recorded; ``None`` for present content that no revision records."""


def present_payload(post: Post) -> str:
    """Return the revision payload of the stored content of a post read by ``read_post``."""
    faq = [FaqPair(question=row.question, answer=row.answer) for row in post.faqs.all()]
    return revision_payload(content_of(post, faq=faq))


def version_named(post_id: int, name: str, *, field: str) -> PostVersion:
    """Return the version with this identifier, or a prefix of it, or named ``public`` or ``draft``.

    ``draft`` is the stored content, recorded or not, and ``public`` what readers see. At most six queries. Raises
    ``NotFound``, and ``ValidationFailed`` of the field for a prefix of several identifiers.
    """
    if name == NamedVersion.DRAFT:
        return _stored_now(read_post(post_id))
    if name == NamedVersion.PUBLIC:
        shown = Post.objects.filter(when_public(), pk=post_id).order_by().values("public_revision")
        revision = Revision.objects.filter(pk__in=shown).first()
        if revision is None:
            raise NotFound(hint=f"The post is not public: its content is the version named draft. {_named(post_id)}")
        return _recorded(revision)
    of_name = Revision.objects.filter(post=post_id, identifier__startswith=name)
    # A proposal may have recorded the same content.
    found = list(of_name.order_by("is_proposed", "id")[:3])
    if len({revision.identifier for revision in found}) > 1:
        raise ValidationFailed([field], hint=f"Several revisions of the post start with {name}: send all 64 digits.")
    if found:
        return _recorded(found[0])
    post = read_post(post_id)
    if post.current_revision_identifier.startswith(name):
        return _stored_now(post)
    raise NotFound(hint=f"No revision of the post has the identifier {name}. {_named(post_id)}")


def _recorded(revision: Revision) -> PostVersion:
    return PostVersion(revision.identifier, revision.payload, revision.actor, revision.made_by_ai, revision.created_at)


def _stored_now(post: Post) -> PostVersion:
    identifier = post.current_revision_identifier
    recorded = Revision.objects.filter(post=post.pk, identifier=identifier, is_proposed=False).first()
    if recorded is not None:
        return _recorded(recorded)
    actor, made_by_ai = post.unrecorded_actor, post.unrecorded_made_by_ai
    return PostVersion(identifier, present_payload(post), actor, made_by_ai, created_at=None)


def _named(post_id: int) -> str:
    """Return the sentence of a refusal that names some versions."""
    newest = Revision.objects.filter(post=post_id).order_by("-id").values_list("identifier", flat=True)[:_MOST_NAMED]
    named = ", ".join(newest)
    return f"Its newest revisions are {named}." if named else "It has no revision yet, only draft, its present content."
