"""The proposals that the desk lists, and those that wait for a decision."""

from dataclasses import dataclass
from typing import Any, Final

from django.db.models import QuerySet

from blog_engine.enums import ProposalState
from blog_engine.models import Approval, Proposal
from blog_engine.queries.desk_lists import MOST_LISTED, DeskListPage
from blog_engine.queries.proposals import ListedProposal, proposals_in, proposals_with_ids, undecided_proposals

PROPOSALS_PER_PAGE: Final = 25


@dataclass(frozen=True, slots=True)
class ProposalListPage(DeskListPage):
    """A page of proposals."""

    rows: list[ListedProposal]
    total: int
    """How many there are, or ``MOST_LISTED + 1`` if there are more."""


def number_waiting() -> int:
    """Return how many proposals wait for a decision, or ``MOST_LISTED + 1`` if there are more; one query."""
    return undecided_proposals().order_by()[: MOST_LISTED + 1].count()


def waiting_for(post_id: int) -> list[Proposal]:
    """Return the undecided proposals of a post without what they change, the oldest first; one query."""
    columns = ("post", "actor", "made_by_ai", "created_at")
    return list(undecided_proposals().filter(post=post_id).only(*columns).order_by("id"))


def proposals_by(state: ProposalState | None, **filters: Any) -> QuerySet[Proposal]:
    """Return the proposals in a listed state, or without one the undecided, that these look-ups find."""
    found = undecided_proposals() if state is None else proposals_in(state)
    return found.filter(**filters)


def proposal_page(found: QuerySet[Proposal], *, number: int, is_oldest_first: bool = False) -> ProposalListPage:
    """Return a page of proposals, or the last page; at most eight queries. The pages end after ``MOST_LISTED``."""
    total = found.order_by()[: MOST_LISTED + 1].count()
    pages = max(1, -(-min(total, MOST_LISTED) // PROPOSALS_PER_PAGE))
    number = min(number, pages)
    start = (number - 1) * PROPOSALS_PER_PAGE
    in_order = found.order_by("id" if is_oldest_first else "-id").values_list("pk", flat=True)
    ids = list(in_order[start : start + PROPOSALS_PER_PAGE]) if total else []
    return ProposalListPage(number, pages, proposals_with_ids(ids), total)


def approvals_of_content(post_id: int, identifier: str) -> list[Approval]:
    """Return the last ten approvals of a content of a post; one query."""
    approvals = Approval.objects.filter(post=post_id, revision__identifier=identifier)
    return list(approvals.order_by("-id")[:10])
