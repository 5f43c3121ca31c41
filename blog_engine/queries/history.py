"""The history of a post."""

from dataclasses import dataclass

from blog_engine.models import Approval, Baseline, ConnectionDeclaration, Post, Publication, Revision


@dataclass(frozen=True, slots=True)
class History:
    """The records of a post, each list in insertion order."""

    revisions: list[Revision]
    approvals: list[Approval]
    publications: list[Publication]
    baseline: Baseline | None
    connections: list[ConnectionDeclaration]


def history_of(post_id: int) -> History:
    """Return the history of a post in five queries, without payloads."""
    return History(
        revisions=list(Revision.objects.filter(post=post_id).defer("payload").order_by("id")),
        approvals=list(
            Approval.objects.filter(post=post_id).select_related("revision", "signature").defer("revision__payload")
        ),
        publications=list(
            Publication.objects.filter(post=post_id).select_related("revision").defer("revision__payload")
        ),
        baseline=Baseline.objects.filter(post=post_id).first(),
        connections=list(ConnectionDeclaration.objects.filter(post=post_id)),
    )


def is_retained(post: Post) -> bool:
    """Return whether a post has records that outlive it (posts.delete.archive)."""
    return (
        post.public_revision_id is not None
        or any(
            related.exists()
            for related in (
                post.revisions,
                post.approvals,
                post.publications,
                post.declarations,
                post.redirects,
                post.proposals,
            )
        )
        or Baseline.objects.filter(post=post).exists()
    )


def last_writer(post: Post) -> str | None:
    """Return who wrote the present content of a post, as far as it is known; one query if a revision records it."""
    if post.unrecorded_actor is not None:
        return post.unrecorded_actor
    recorded = Revision.objects.filter(post=post, identifier=post.current_revision_identifier, is_proposed=False)
    return recorded.values_list("actor", flat=True).first()
