"""The approvals that count, which fulfil ``require_approval`` and clear the label.

Contract: approvals.people.counted and approvals.signed.counted.

The condition for queries and the one for loaded rows say the same. Everything that asks whether content is approved
uses one of the two.
"""

from collections.abc import Hashable
from typing import Protocol

from django.core.exceptions import ImproperlyConfigured
from django.db.models import Q

from blog_engine.conf import get_settings
from blog_engine.enums import ActorKind, ApprovalKind, PostStatus, Provenance
from blog_engine.models import Approval


def only_people_approve() -> bool:
    """Return whether only a person approves, under the name of the account."""
    return get_settings().approvals_by == "people"


def only_signed_count() -> bool:
    """Return whether only approvals that are signed with a passkey are taken and count."""
    return get_settings().approvals_signed


def counting_rule() -> Hashable:
    """Return the values of the settings that ``checked_facts`` depends on: a compiled query holds for one of them.

    Faulty settings have none, so that the queries of the doctor that do not need them still run.
    """
    try:
        return only_people_approve(), only_signed_count()
    except ImproperlyConfigured:
        return None


def checked_facts() -> Q:
    """Return the condition for the approvals with checked facts that count."""
    condition = Q(facts_checked=True)
    if only_people_approve():
        condition &= Q(kind=ApprovalKind.SENT.value, actor_kind=ActorKind.PERSON.value)
    return condition & Q(signature__isnull=False) if only_signed_count() else condition


def is_counted(approval: Approval) -> bool:
    """Return whether an approval is one that counts, whether its facts were checked or not.

    Its query reads its signature too.
    """
    if only_people_approve() and (approval.kind != ApprovalKind.SENT or approval.actor_kind != ActorKind.PERSON):
        return False
    return approval.is_signed or not only_signed_count()


def has_checked_facts(approval: Approval) -> bool:
    """Return whether an approval counts and its facts were checked, as ``checked_facts`` selects it."""
    return approval.facts_checked and is_counted(approval)


class Approvable(Protocol):
    """The columns of a post, or of a row of a list, that say whether it needs an approval."""

    @property
    def status(self) -> str: ...
    @property
    def provenance(self) -> str: ...


def lacks_approval(post: Approvable, *, is_reviewed: bool) -> bool:
    """Return whether the present content lacks the approval that the label, or the gate, needs (posts.list.approval).

    ``queries.post_lists`` has the same as a condition.
    """
    return not is_reviewed and post.status != PostStatus.ARCHIVED and post.provenance != Provenance.HUMAN_WRITTEN
