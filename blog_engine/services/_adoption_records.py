"""The records that an adoption makes, and takes back when it is repeated with other content (records.md 12)."""

from django.db import IntegrityError, transaction

from blog_engine.errors import IdentityConflict
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
    """Record what is known of the article. Raises ``IdentityConflict`` when its source was adopted meanwhile."""
    facts = baseline_facts(data)
    baseline = Baseline(
        post=edit.post,
        adopted_revision=revision,
        adopted_at=edit.now,
        adopted_by=edit.actor_name,
        created_at=edit.now,
        **facts,
    )
    try:
        with transaction.atomic():
            baseline.save()
    except IntegrityError as collision:
        of_source = Baseline.objects.filter(source_system=data.source_system, source_id=data.source_id)
        if not of_source.exists():
            raise
        raise IdentityConflict(
            ["source_system", "source_id"], hint="It was adopted just now; try again."
        ) from collision


def record_earlier_approval(edit: Edit, data: AdoptPost, revision: Revision) -> ApprovalKind | None:
    """Record the approval from before the adoption, if one is declared or imported."""
    facts = approval_facts(data)
    if facts is None:
        return None
    approval = Approval(post=edit.post, revision=revision, recorded_by=edit.actor_name, created_at=edit.now, **facts)
    approval.save()
    return ApprovalKind(facts["kind"])
