"""The records that an adoption makes, and takes back when it is repeated with other content (records.md 12)."""

from blog_engine.inputs.adoption import AdoptPost
from blog_engine.models import Approval, Baseline, Post, Publication, Revision
from blog_engine.models.protection import delete_history, history_replaceable
from blog_engine.services._adoption_snapshot import approval_facts, baseline_facts
from blog_engine.services._edit import Edit
from blog_engine.vocabulary import ApprovalKind


def delete_adoption(post: Post, baseline: Baseline) -> None:
    """Delete the records of an adoption that nothing followed; new ones must take their place in this transaction.

    The database itself refuses it for any other post.
    """
    with history_replaceable(post.pk):
        delete_history(Approval.objects.filter(post=post))
        delete_history(Publication.objects.filter(post=post))
        delete_history(Baseline.objects.filter(pk=baseline.pk))
        delete_history(Revision.objects.filter(pk=baseline.adopted_revision_id))


def record_baseline(edit: Edit, data: AdoptPost, revision: Revision) -> None:
    """Record what is known of the article. Nobody else adopts its source meanwhile: ``lock_target`` saw to that."""
    Baseline(
        post=edit.post,
        adopted_revision=revision,
        adopted_at=edit.now,
        adopted_by=edit.actor_name,
        created_at=edit.now,
        **baseline_facts(data),
    ).save()


def record_earlier_approval(edit: Edit, data: AdoptPost, revision: Revision) -> ApprovalKind | None:
    """Record the approval from before the adoption, if one is declared or imported."""
    facts = approval_facts(data)
    if facts is None:
        return None
    approval = Approval(post=edit.post, revision=revision, recorded_by=edit.actor_name, created_at=edit.now, **facts)
    approval.save()
    return ApprovalKind(facts["kind"])
