"""The history of a post."""

from dataclasses import dataclass

from blog_engine.models import Approval, Baseline, ConnectionDeclaration, Post, Publication, Revision


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
