"""The AI-involvement label (records.md section 14, reader.md 4.3)."""

from django.db.models import Exists, OuterRef, QuerySet

from blog_engine.conf import get_settings
from blog_engine.models import Approval, Post
from blog_engine.vocabulary import Label, PostStatus, Provenance


def with_review(posts: QuerySet[Post]) -> QuerySet[Post]:
    """Annotate what the label and ``approved`` need, without a further query per post.

    ``is_reviewed``: a facts-checked approval of exactly the current content exists.
    ``is_approved``: one exists for the public revision.
    """
    checked = Approval.objects.filter(post=OuterRef("pk"), facts_checked=True)
    return posts.select_related("public_revision").annotate(  # type: ignore[no-redef]  # Post declares them for readers
        is_reviewed=Exists(checked.filter(revision__identifier=OuterRef("current_revision_identifier"))),
        is_approved=Exists(checked.filter(revision=OuterRef("public_revision"))),
    )


def label_of(post: Post, *, has_responsible_party: bool) -> Label:
    """The label of a post that ``with_review`` has annotated.

    Only a facts-checked approval of exactly the governing revision, on a blog that names a responsible
    party, with every image known by its digest, clears it.
    """
    if post.provenance == Provenance.HUMAN_WRITTEN:
        return Label.NONE
    notice = Label.AI_ASSISTED if post.provenance == Provenance.AI_ASSISTED else Label.AI_UNKNOWN
    if notice is Label.AI_ASSISTED and get_settings().ai_label == "always":
        return notice
    cleared = has_responsible_party and post.images_verified and post.is_reviewed and _governs(post)
    return Label.NONE if cleared else notice


def _governs(post: Post) -> bool:
    """Whether the current content is what the post stands for: for a published post, its public revision."""
    if post.status != PostStatus.PUBLISHED:
        return True
    public = post.public_revision
    return public is not None and public.identifier == post.current_revision_identifier
