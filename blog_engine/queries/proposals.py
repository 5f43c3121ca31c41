"""Proposals with what happened to them, one or in lists."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from time import thread_time
from typing import Any, Final, NamedTuple

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, Subquery

from blog_engine.content.faq import FaqPair
from blog_engine.enums import EntryType, ProposalEventKind, ProposalState
from blog_engine.errors import NotFound
from blog_engine.inputs.proposals import ListProposals, ProposalRef
from blog_engine.models import Author, ConnectionDeclaration, Faq, Post, PostTag, Proposal, ProposalEvent, Publication
from blog_engine.models.proposal import DECIDING
from blog_engine.queries.cursors import AskedPage
from blog_engine.queries.desk_lists import MOST_LISTED, DeskListPage
from blog_engine.queries.pagination import page_count
from blog_engine.queries.posts import faq_rows, keep_related, post_id_of, tag_names_of
from blog_engine.queries.proposal_memory import kind_of_body, note_body
from blog_engine.queries.records import Listed
from blog_engine.queries.remembered import named_authors
from blog_engine.rules.proposals import (
    HISTORY_FIELDS,
    Rebased,
    RebasedBody,
    RebasedKind,
    Values,
    body_conflict,
    decision_on,
    proposable_values,
    proposal_state,
    rebased,
    rebased_body,
    schedule_of,
)

MOST_UNDECIDED = 20
"""Undecided proposals of one post."""
MOST_OF_A_POST = 100
"""Proposals that the records of a post name."""
_AT_ONCE: Final = 25
"""Proposals of a list that are in memory with everything that they change."""
_MOST_SECONDS: Final = 1.0
"""Of processor time for the proposals of a list whose posts were changed since."""
_SCHEDULING = (ProposalEventKind.SCHEDULED.value, ProposalEventKind.UNSCHEDULED.value)


def is_only_proposed(revision: str) -> Q:
    """Return the condition that a proposal recorded the revision at a relation, and its content was never public."""
    same = {"post": OuterRef(f"{revision}__post"), "revision__identifier": OuterRef(f"{revision}__identifier")}
    return Q(**{f"{revision}__is_proposed": True}) & ~Q(Exists(Publication.objects.filter(**same)))


def undecided_proposals() -> QuerySet[Proposal]:
    """Return the proposals that wait for a decision."""
    ends = ProposalEvent.objects.filter(proposal=OuterRef("pk"), kind__in=[kind.value for kind in DECIDING])
    return Proposal.objects.filter(~Exists(ends)).order_by("-id")


def proposals_in(state: ProposalState) -> QuerySet[Proposal]:
    """Return the proposals in one of the ``LISTED_STATES``."""
    events = ProposalEvent.objects.filter(proposal=OuterRef("pk")).order_by("-id")
    if state not in (ProposalState.OPEN, ProposalState.SCHEDULED):
        return Proposal.objects.filter(Exists(events.filter(kind=state.value))).order_by("-id")
    last = Subquery(events.filter(kind__in=_SCHEDULING).values("kind")[:1])
    waiting = undecided_proposals().annotate(last_schedule=last)
    is_scheduled = Q(last_schedule=ProposalEventKind.SCHEDULED.value)
    if state is ProposalState.SCHEDULED:
        return waiting.filter(is_scheduled)
    return waiting.filter(Q(last_schedule__isnull=True) | ~is_scheduled)


def number_undecided(post_id: int) -> int:
    """Return how many undecided proposals a post has; one query."""
    return undecided_proposals().filter(post=post_id).count()


def due_proposals(*, now: datetime) -> list[tuple[int, str]]:
    """Return the ids of the scheduled proposals whose time has come, with the slugs of their posts; one query."""
    schedules = ProposalEvent.objects.filter(proposal=OuterRef("pk"), kind__in=_SCHEDULING).order_by("-id")
    is_due = ProposalEvent.objects.filter(
        proposal=OuterRef("pk"), kind=ProposalEventKind.SCHEDULED.value, publish_at__lte=now
    )
    due = proposals_in(ProposalState.SCHEDULED).filter(Exists(is_due))
    due = due.annotate(due_at=Subquery(schedules.values("publish_at")[:1])).filter(due_at__lte=now)
    return list(due.order_by("due_at", "pk").values_list("pk", "post__slug"))


def _with_events() -> QuerySet[Proposal]:
    events = ProposalEvent.objects.select_related("revision").defer("revision__payload").order_by("id")
    proposals = Proposal.objects.select_related("revision", "base_revision").order_by("-id")
    return proposals.prefetch_related(Prefetch("events", events))


def proposal_with_id(data: ProposalRef) -> Proposal:
    """Return a proposal with its events and revisions; raises ``NotFound``, also for one of another post."""
    proposal = _with_events().filter(pk=data.proposal).first()
    if proposal is None or (data.id is not None and proposal.post_id != post_id_of(data.id)):
        raise NotFound(hint=f"No proposal has that id. {_waiting_of_named_post(data)}")
    return proposal


def _waiting_of_named_post(data: ProposalRef) -> str:
    """Return the sentence with the proposals of the post that is named, or whose id was sent as that of a proposal."""
    post_id = data.proposal if data.id is None else post_id_of(data.id)
    waiting = undecided_proposals().filter(post=post_id).values_list("pk", flat=True)[:MOST_UNDECIDED]
    if not waiting:
        return "The records of a post list its proposals."
    return f"Of post {post_id} these wait for a decision: {', '.join(map(str, waiting))}."


def events_of(proposal: Proposal) -> list[ProposalEvent]:
    """Return what happened to a proposal up to now, the oldest first; one query."""
    return list(ProposalEvent.objects.filter(proposal=proposal.pk).order_by("id"))


@dataclass(frozen=True, slots=True)
class ListedProposal:
    """A proposal in a list, with the title of its post."""

    proposal: Proposal
    post: Post
    """With its id, slug, title and status."""
    state: ProposalState
    schedule: ProposalEvent | None
    decision: ProposalEvent | None


def listed_proposals(data: ListProposals) -> Listed[ListedProposal]:
    """Return a page of proposals, the newest first. At most seven queries, and one that finds the post by its slug."""
    found = proposals_in(data.state) if data.state is not None else Proposal.objects.order_by("-id")
    if data.post is not None:
        found = found.filter(post=post_id_of(data.post))
    asked, read = AskedPage.of(data, Proposal), found
    if asked.after:
        read = found.filter(pk__lt=asked.after[0])
    ids, place = asked.cut(
        list(read.values_list("pk", flat=True)[asked.rows]), key=lambda pk: (pk,), total=found.count()
    )
    return Listed(proposals_with_ids(ids), place)


def proposals_of(post_id: int) -> list[ListedProposal]:
    """Return the last ``MOST_OF_A_POST`` proposals of a post, the newest first; at most six queries."""
    found = Proposal.objects.filter(post=post_id).order_by("-id")
    return proposals_with_ids(list(found.values_list("pk", flat=True)[:MOST_OF_A_POST]))


def proposals_with_ids(ids: Sequence[int]) -> list[ListedProposal]:
    """Return the proposals with these ids, in their order, without what they change but the names of the fields.

    At most three queries, and five for each 25 of them. Those of posts whose bodies were changed since are worked out
    for at most a second of processor time, unless they were before; further ones count as fitting (proposals.list).
    """
    if not ids:
        return []
    found = _with_events().filter(pk__in=ids).defer("fields", "base", "revision__payload", "base_revision__payload")
    proposals, clock = sorted(found, key=lambda one: ids.index(one.pk)), _Clock()
    return [one for start in range(0, len(proposals), _AT_ONCE) for one in _listed(proposals[start:][:_AT_ONCE], clock)]


def _listed(proposals: Sequence[Proposal], clock: "_Clock") -> Iterator[ListedProposal]:
    """Yield some proposals, whose bodies are in memory together."""
    sent = {
        pk: (fields, base)
        for pk, fields, base in Proposal.objects.filter(pk__in=[one.pk for one in proposals])
        .order_by()
        .values_list("pk", "fields", "base")
    }
    undecided = {one.post_id for one in proposals if decision_on(one.events.all()) is None}
    states = posts_with_values({one.post_id for one in proposals}, whole=undecided)
    for one in proposals:
        one.fields, one.base = sent.pop(one.pk)
        post, values = states[one.post_id]
        fits = decision_on(one.events.all()) is not None or values is None or _fits(one, post, values, clock)
        one.fields = {name: one.fields[name] for name in HISTORY_FIELDS if name in one.fields}
        one.base = dict.fromkeys(one.base)
        yield _of(one, post, fits=fits)


def _of(proposal: Proposal, post: Post, *, fits: bool) -> ListedProposal:
    events = list(proposal.events.all())
    brief = Post(pk=post.pk, slug=post.slug, title=post.title, status=post.status)
    return ListedProposal(
        proposal=proposal,
        post=brief,
        state=proposal_state(events, is_outdated=not fits),
        schedule=schedule_of(events),
        decision=decision_on(events),
    )


class _Clock:
    """The processor time that is left for proposals of posts that were changed since."""

    def __init__(self) -> None:
        self._end = thread_time() + _MOST_SECONDS

    @property
    def has_time(self) -> bool:
        return thread_time() < self._end


def _fits(proposal: Proposal, post: Post, values: Values, clock: _Clock) -> bool:
    """Return whether an undecided proposal can be applied to a post with these values."""
    body = _BODIES[RebasedKind.CHANGES]
    if "body" in proposal.base and proposal.base["body"] != values["body"]:
        kind = kind_of_body(proposal, values["body"])
        if kind is None and clock.has_time:
            kind = note_body(proposal, values["body"], rebased_body(proposal, values["body"]))
        body = _BODIES[kind or RebasedKind.CHANGES]
    return not rebased(proposal, status=post.status, present=values, body=body).conflicts


_BODIES: Final[Mapping[RebasedKind, RebasedBody]] = {
    RebasedKind.CHANGES: RebasedBody(""),
    RebasedKind.NOTHING: RebasedBody(None),
    RebasedKind.CONFLICT: RebasedBody(None, (body_conflict(""),)),
}


class PostValues(NamedTuple):
    """A post, with the present values of what proposals change."""

    post: Post
    values: Values | None


def posts_with_values(ids: Iterable[int], *, whole: Collection[int]) -> Mapping[int, PostValues]:
    """Return posts with a few columns, and the values of those that are ``whole``; at most four queries."""
    brief = Post.objects.filter(pk__in=set(ids) - set(whole)).only("slug", "title", "status").order_by()
    found = {post.pk: PostValues(post, None) for post in brief} if set(ids) - set(whole) else {}
    if not whole:
        return found
    tags, faq = tag_names_of(whole), defaultdict[int, list[FaqPair]](list)
    for row in Faq.objects.filter(post__in=whole).order_by("position"):
        faq[row.post_id].append(FaqPair(question=row.question, answer=row.answer))
    for post in Post.objects.filter(pk__in=whole).select_related("category", "series").defer(*_NOT_COMPARED).order_by():
        found[post.pk] = PostValues(post, proposable_values(post, faq=faq[post.pk], tags=tags[post.pk]))
    return found


_NOT_COMPARED: tuple[str, ...] = (
    *("body_html", "outline", "body_facts", "search_text", "body_image_manifest"),
    *("indexed_title", "indexed_description", "indexed_faq", "indexed_body"),
)


def post_to_compare(post_id: int) -> Post:
    """Return a post with all its columns and relations, for an article page and for findings.

    Three queries, and one for its coauthors if it has any.
    """
    relations = ("author__avatar", "category", "series", "cover_image", "social_image", "public_revision")
    corrections = Publication.objects.filter(post=OuterRef("pk"), entry_type=EntryType.CORRECTION.value)
    post: Post = (
        Post.objects.select_related(*relations)
        .annotate(
            has_corrections=Exists(corrections),  # type: ignore[no-redef]  # Post declares them for readers
            has_declaration=Exists(ConnectionDeclaration.objects.filter(post=OuterRef("pk"))),
        )
        .get(pk=post_id)
    )
    if post.coauthor_ids:
        post.coauthors = named_authors(post, Author.objects.in_bulk(post.coauthor_ids))
    keep_related(post, "faqs", faq_rows(post_id))
    keep_related(post, "taggings", list(PostTag.objects.select_related("tag").filter(post=post_id).order_by("id")))
    return post


def rebased_on(
    proposal: Proposal,
    post: Post,
    *,
    faq: Iterable[FaqPair],
    tags: Sequence[str],
    body: RebasedBody | None = None,
) -> Rebased:
    """Return what an undecided proposal changes in a post as it is now; at most two queries.

    ``body`` is the ``rebased_body`` of the post, of a proposal that changes the body.
    """
    return rebased(proposal, status=post.status, present=proposable_values(post, faq=faq, tags=tags), body=body)


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
    pages = page_count(min(total, MOST_LISTED), per_page=PROPOSALS_PER_PAGE)
    number = min(number, pages)
    start = (number - 1) * PROPOSALS_PER_PAGE
    in_order = found.order_by("id" if is_oldest_first else "-id").values_list("pk", flat=True)
    ids = list(in_order[start : start + PROPOSALS_PER_PAGE]) if total else []
    return ProposalListPage(number, pages, proposals_with_ids(ids), total)
