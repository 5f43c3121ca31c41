"""The public versions of a post in a period, and why a notice about AI was or was not due (dossier.versions)."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from typing import TypeAlias

from django.utils.timezone import get_default_timezone

from blog_engine.actor import RecordedActor
from blog_engine.conf import get_settings
from blog_engine.enums import Label, PostStatus, Provenance, RecordKind
from blog_engine.models import Approval, Baseline, Post, Publication, StatusChange
from blog_engine.rules.approvals import has_checked_facts
from blog_engine.rules.label import label_of


@dataclass(frozen=True, slots=True)
class Period:
    """Whole days in the time zone of the site."""

    first: date
    last: date

    @property
    def start(self) -> datetime:
        """The first moment of the first day."""
        return _midnight(self.first)

    @property
    def end(self) -> datetime:
        """The first moment after the last day."""
        return _midnight(self.last + timedelta(days=1))


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, tzinfo=get_default_timezone())


class NoticeGround(StrEnum):
    """A reason why a notice about AI was or was not due."""

    WRITTEN_BY_PEOPLE = "written_by_people"
    REVIEWED = "reviewed"
    ALWAYS = "always"
    NOT_REVIEWED = "not_reviewed"
    NOT_COUNTED = "not_counted"
    NO_RESPONSIBLE_PARTY = "no_responsible_party"
    UNKNOWN_IMAGES = "unknown_images"


class VersionEnding(StrEnum):
    """The event that ended the time in which readers saw a version."""

    CHANGED = "changed"
    WITHDRAWN = "withdrawn"
    ARCHIVED = "archived"
    UNRECORDED = "unrecorded"
    """The post is not public, and no record says since when."""


@dataclass(frozen=True, slots=True)
class AIImage:
    """An image that AI made, changed or made parts of, as it is declared now."""

    filename: str
    source_type: str
    """The term of IPTC."""


@dataclass(frozen=True, slots=True)
class VersionFacts:
    """The recorded facts of a revision; of its content the digests alone, which tell what changed."""

    title: str
    actor: RecordedActor
    made_by_ai: bool | None
    has_known_images: bool
    images: tuple[str, ...]
    """The SHA-256 of its images, each once: cover, body and social image."""
    digests: Mapping[str, bytes]
    """By the keys of the payload."""

    @classmethod
    def of(cls, payload: str, *, actor: RecordedActor, made_by_ai: bool | None) -> "VersionFacts":
        """Return the facts of a revision with this payload."""
        content = json.loads(payload)
        digests = {name: hashlib.sha256(json.dumps(value).encode()).digest() for name, value in content.items()}
        images = dict.fromkeys(image["sha256"] for image in content["images"])
        is_known = "" not in images
        return cls(content["title"], actor, made_by_ai, is_known, tuple(filter(None, images)), digests)

    def changes_since(self, before: "VersionFacts") -> tuple[str, ...]:
        """Return the keys of the content that differ."""
        names = sorted({*self.digests, *before.digests} - {"version"})
        return tuple(name for name in names if self.digests.get(name) != before.digests.get(name))


@dataclass(slots=True)
class DisclosedHistory:
    """The records of a post from which its public versions follow."""

    post: Post
    releases: list[Publication] = field(default_factory=list)
    withdrawals: list[StatusChange] = field(default_factory=list)
    approvals: list[Approval] = field(default_factory=list)
    revisions: dict[str, VersionFacts] = field(default_factory=dict)
    """By their identifiers, those that were public."""
    ai_images: Mapping[str, AIImage] = field(default_factory=dict)
    """Images by their SHA-256, those of these revisions among them."""
    links: dict[tuple[str, int], tuple[int, int]] = field(default_factory=dict)
    """Position and id of the link of each record, by its kind and id."""
    newest_link: int = 0


@dataclass(frozen=True, slots=True)
class NoticeSpan:
    """A part of the time in which readers saw a version, and whether a notice was due in it."""

    since: datetime
    until: datetime | None
    label: Label
    grounds: tuple[NoticeGround, ...]

    @property
    def is_due(self) -> bool:
        """Whether a notice was due."""
        return self.label is not Label.NONE


@dataclass(frozen=True, slots=True)
class JudgedVersion:
    """A version of a post while readers saw it."""

    number: int
    """From 1 over the whole history of the post."""
    release: Publication
    facts: VersionFacts
    since: datetime
    until: datetime | None
    """``None`` if readers see it now, or if no record says until when they did."""
    ending: VersionEnding | None
    """``None`` if readers see it now."""
    reviews: tuple[Approval, ...]
    """The approvals of exactly this content, whenever they were recorded."""
    review: Approval | None
    """The first of them that clears the label."""
    spans: tuple[NoticeSpan, ...]
    ai_images: tuple[AIImage, ...]
    """The images of its content that AI made; no review clears that."""
    following: "JudgedVersion | None"
    """The version that replaced it, without what follows that one."""
    changed_fields: tuple[str, ...]
    """What that version changed."""
    is_covered: bool
    """Whether the checkpoint covers the publication and the review."""

    @property
    def is_due(self) -> bool:
        """Whether a notice was due at any time."""
        return any(span.is_due for span in self.spans)


@dataclass(frozen=True, slots=True)
class PostDisclosure:
    """A post with its versions that were public in a period."""

    post: Post
    versions: tuple[JudgedVersion, ...]
    earlier: int
    """The number of versions before the period."""
    later: int
    """The number of versions after the period."""
    is_covered: bool
    """Whether the checkpoint covers every record of the post."""

    @property
    def ai_images(self) -> tuple[AIImage, ...]:
        """The images of its versions that AI made, each once."""
        return tuple(dict.fromkeys(image for version in self.versions for image in version.ai_images))

    @property
    def baseline(self) -> Baseline | None:
        """The facts about the article when it was adopted, if it was."""
        return getattr(self.post, "baseline", None)


_Event: TypeAlias = Publication | StatusChange


def disclosed(
    history: DisclosedHistory, *, period: Period, has_responsible_party: bool, boundary: int
) -> PostDisclosure:
    """Return what a report says of a post; ``boundary`` is the id of the newest link that the checkpoint covers."""
    found = list(_versions(history, has_responsible_party=has_responsible_party, boundary=boundary))
    shown = [one for one in found if one.since < period.end and (one.until is None or one.until > period.start)]
    first = shown[0].number if shown else 0
    last = shown[-1].number if shown else 0
    return PostDisclosure(
        post=history.post,
        versions=tuple(_within(one, period) for one in shown),
        earlier=max(0, first - 1),
        later=len(found) - last if shown else 0,
        is_covered=0 < history.newest_link <= boundary,
    )


def _within(version: JudgedVersion, period: Period) -> JudgedVersion:
    """Return a version with the parts of its time that are in a period."""
    spans = [one for one in version.spans if one.since < period.end and (one.until is None or one.until > period.start)]
    return replace(version, spans=tuple(spans))


def _versions(history: DisclosedHistory, *, has_responsible_party: bool, boundary: int) -> Iterator[JudgedVersion]:
    """Yield all public versions in the order of the chain."""
    events = _events(history)
    following: JudgedVersion | None = None
    made: list[JudgedVersion] = []
    number = len(history.releases)
    reviews: defaultdict[str, list[Approval]] = defaultdict(list)
    for approval in history.approvals:
        reviews[approval.revision.identifier].append(approval)
    for event, after in zip(reversed(events), [None, *reversed(events[1:])], strict=False):
        if isinstance(event, StatusChange):
            continue
        until, ending = _end_of(event, after, history.post)
        facts = history.revisions[event.revision.identifier]
        of_content = reviews[event.revision.identifier]
        review = next((one for one in of_content if has_checked_facts(one)), None)
        version = JudgedVersion(
            number=number,
            release=event,
            facts=facts,
            since=event.occurred_at,
            until=until,
            ending=ending,
            reviews=tuple(of_content),
            review=review,
            spans=tuple(
                _spans(
                    history.post,
                    facts,
                    since=event.occurred_at,
                    until=until,
                    reviewed_at=review.created_at if review else None,
                    has_uncounted=any(one.facts_checked and not has_checked_facts(one) for one in of_content),
                    has_responsible_party=has_responsible_party,
                )
            ),
            ai_images=tuple(history.ai_images[one] for one in facts.images if one in history.ai_images),
            following=following if ending is VersionEnding.CHANGED else None,
            changed_fields=following.facts.changes_since(facts)
            if following and ending is VersionEnding.CHANGED
            else (),
            is_covered=_is_covered(history, event, review, boundary=boundary),
        )
        made.append(version)
        following = replace(version, following=None)
        number -= 1
    yield from reversed(made)


def _events(history: DisclosedHistory) -> Sequence[_Event]:
    """Return publications and withdrawals in the order of the chain, those without a link by their time."""
    kinds = {Publication: RecordKind.PUBLICATION.value, StatusChange: RecordKind.STATUS.value}
    events: list[_Event] = [*history.releases, *history.withdrawals]
    places = [history.links.get((kinds[type(one)], one.pk)) for one in events]
    if all(place is not None for place in places):
        return [one for _, one in sorted(zip(places, events, strict=True), key=lambda pair: pair[0] or (0, 0))]
    return sorted(events, key=lambda one: (one.occurred_at, isinstance(one, StatusChange), one.pk))


def _end_of(release: Publication, after: _Event | None, post: Post) -> tuple[datetime | None, VersionEnding | None]:
    if after is None:
        is_public = post.status == PostStatus.PUBLISHED
        return None, None if is_public else VersionEnding.UNRECORDED
    # A clock that was put back would end it before it began.
    until = max(after.occurred_at, release.occurred_at)
    if isinstance(after, Publication):
        return until, VersionEnding.CHANGED
    is_archived = after.to_status == PostStatus.ARCHIVED
    return until, VersionEnding.ARCHIVED if is_archived else VersionEnding.WITHDRAWN


def _is_covered(history: DisclosedHistory, release: Publication, review: Approval | None, *, boundary: int) -> bool:
    records = [(RecordKind.PUBLICATION.value, release.pk)]
    if review is not None:
        records.append((RecordKind.APPROVAL.value, review.pk))
    links = [history.links.get(record) for record in records]
    return all(link is not None and link[1] <= boundary for link in links)


@dataclass(frozen=True, slots=True)
class _PublicState:
    """A public version as ``label_of`` takes it."""

    provenance: str
    images_verified: bool
    is_reviewed: bool
    status: str = PostStatus.PUBLISHED.value
    current_revision_identifier: str = ""
    public_revision_identifier: str | None = ""


def _spans(
    post: Post,
    facts: VersionFacts,
    *,
    since: datetime,
    until: datetime | None,
    reviewed_at: datetime | None,
    has_uncounted: bool,
    has_responsible_party: bool,
) -> Iterator[NoticeSpan]:
    """Yield the time before the review, and the time after it, as far as they differ."""
    not_reviewed, reviewed = (
        _PublicState(post.provenance, facts.has_known_images, is_reviewed) for is_reviewed in (False, True)
    )
    before = _notice(not_reviewed, has_uncounted=has_uncounted, has_responsible_party=has_responsible_party)
    after = _notice(reviewed, has_uncounted=has_uncounted, has_responsible_party=has_responsible_party)
    if reviewed_at is None or (until is not None and reviewed_at >= until):
        yield NoticeSpan(since, until, *before)
    elif reviewed_at <= since or before == after:
        yield NoticeSpan(since, until, *after)
    else:
        yield NoticeSpan(since, reviewed_at, *before)
        yield NoticeSpan(reviewed_at, until, *after)


def _notice(
    state: _PublicState, *, has_uncounted: bool, has_responsible_party: bool
) -> tuple[Label, tuple[NoticeGround, ...]]:
    label = label_of(state, has_responsible_party=has_responsible_party)
    if state.provenance == Provenance.HUMAN_WRITTEN:
        return label, (NoticeGround.WRITTEN_BY_PEOPLE,)
    if label is Label.NONE:
        return label, (NoticeGround.REVIEWED,)
    found = {
        NoticeGround.ALWAYS: label is Label.AI_ASSISTED and get_settings().ai_label == "always",
        NoticeGround.NOT_REVIEWED: not state.is_reviewed and not has_uncounted,
        NoticeGround.NOT_COUNTED: not state.is_reviewed and has_uncounted,
        NoticeGround.NO_RESPONSIBLE_PARTY: not has_responsible_party,
        NoticeGround.UNKNOWN_IMAGES: not state.images_verified,
    }
    return label, tuple(ground for ground, is_one in found.items() if is_one)
