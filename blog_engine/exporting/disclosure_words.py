"""A disclosure report in plain words: AI part, reviews, changes and notices (dossier.reviews, dossier.notice)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from blog_engine.enums import ActorKind, ApprovalKind, EntryType, Label, Provenance
from blog_engine.models import Approval
from blog_engine.rules.dates import date_and_time, day_in_words
from blog_engine.rules.disclosure import (
    AIImage,
    JudgedVersion,
    NoticeGround,
    NoticeSpan,
    PostDisclosure,
    VersionEnding,
    VersionFacts,
)
from blog_engine.rules.isolation import isolate, isolated
from blog_engine.rules.label import image_notice

MOST_REVIEWS: Final = 10
"""The reviews of a version that a page shows."""

FIELD_WORDS: Final[Mapping[str, Promise]] = {
    "title": pgettext_lazy("part of an article", "title"),
    "subtitle": pgettext_lazy("part of an article", "subtitle"),
    "description": pgettext_lazy("part of an article", "description"),
    "search_title": pgettext_lazy("part of an article", "title for search engines"),
    "search_description": pgettext_lazy("part of an article", "description for search engines"),
    "author": pgettext_lazy("part of an article", "name of the author"),
    "coauthors": pgettext_lazy("part of an article", "names of further authors"),
    "language": pgettext_lazy("part of an article", "language"),
    "body": pgettext_lazy("part of an article", "text"),
    "faq": pgettext_lazy("part of an article", "questions and answers"),
    "images": pgettext_lazy("part of an article", "images"),
}
_DECLARED: Final[Mapping[str, Promise]] = {
    Provenance.HUMAN_WRITTEN: gettext_lazy("Written by people, without AI"),
    Provenance.AI_ASSISTED: gettext_lazy("Made with the help of AI"),
    Provenance.UNKNOWN: gettext_lazy("Not known whether AI helped"),
}
_RELEASED: Final[Mapping[str, Promise]] = {
    EntryType.FIRST: gettext_lazy("First publication"),
    EntryType.SUBSTANTIVE: gettext_lazy("Change of the content"),
    EntryType.CORRECTION: gettext_lazy("Correction"),
    EntryType.MAINTENANCE: gettext_lazy("Maintenance"),
    EntryType.ADOPTED: gettext_lazy("Taken over from another system"),
}
_ACTORS: Final[Mapping[str | None, Promise]] = {
    ActorKind.PERSON: gettext_lazy("a person who was signed in"),
    ActorKind.TOKEN: gettext_lazy("a program with an API token"),
    ActorKind.SYSTEM: gettext_lazy("the system itself: a command, a task or an import"),
    None: gettext_lazy("person or program: not recorded"),
}
_GROUNDS: Final[Mapping[NoticeGround, Promise]] = {
    NoticeGround.ALWAYS: gettext_lazy("the blog marks every article that AI helped to make (setting ai_label)"),
    NoticeGround.NOT_REVIEWED: gettext_lazy(
        "no record says that a named person had checked the facts of exactly this version"
    ),
    NoticeGround.NOT_COUNTED: gettext_lazy(
        "the facts of exactly this version were checked in a review that this blog does not count (its settings say "
        "whose reviews count)"
    ),
    NoticeGround.NO_RESPONSIBLE_PARTY: gettext_lazy("the blog names no responsible party"),
    NoticeGround.UNKNOWN_IMAGES: gettext_lazy(
        "an image of this version is on another site, so its content is not recorded"
    ),
}


def moment_with_zone(moment: datetime | None) -> str:
    """Return a time in words with the zone of the site, such as ``Nov. 24, 2026, 09:05 CET``."""
    if moment is None:
        return _("an unknown time")
    return f"{date_and_time(moment, timezone.get_default_timezone())} {_zone_at(moment)}"


def _zone_at(moment: datetime) -> str:
    return timezone.localtime(moment, timezone.get_default_timezone()).strftime("%Z")


def declared_origin(provenance: str) -> str:
    """Return what the blog declares about the origin of a post."""
    return str(_DECLARED.get(provenance, provenance))


def actor_in_words(kind: str | None, id: str | None) -> str:
    """Return what kind of actor recorded something, and which one as far as the history knows."""
    words = str(_ACTORS.get(kind, kind))
    return words if id is None else f"{words}, {isolate(id)}"


def recorded_origin(facts: VersionFacts) -> str:
    """Return what the record of a version says about AI and its writer."""
    if facts.made_by_ai is None:
        text = _("The record of this version does not say whether AI made it.")
    elif facts.made_by_ai:
        text = _("The record of this version says that AI made it, at least in part.")
    else:
        text = _("The record of this version says that it was made without AI.")
    actor = facts.actor
    if not actor.name:
        return text
    names = isolated({"name": actor.name}) | {"kind": actor_in_words(actor.kind, actor.id)}
    return f"{text} {_('Last written by %(name)s (%(kind)s).') % names}"


def review_in_words(review: Approval) -> str:
    """Return who reviewed a version, when, how, and who recorded it."""
    names = isolated({"name": review.reviewer_name}) | {"time": moment_with_zone(review.approved_at)}
    if review.facts_checked:
        text = _("%(name)s checked the facts and approved exactly this version on %(time)s.") % names
    else:
        text = _("%(name)s read this version on %(time)s, but did not check its facts.") % names
    return " ".join([text, *_origin_of_review(review)])


def _origin_of_review(review: Approval) -> Iterator[str]:
    if review.kind == ApprovalKind.IMPORTED:
        names = isolated({"name": review.confirmed_by or ""})
        yield _("The review was given elsewhere and imported; %(name)s confirmed it.") % names
    elif review.kind == ApprovalKind.DECLARED:
        day = day_in_words(review.declared_on) if review.declared_on else _("an unknown time")
        names = isolated({"name": review.declared_by or ""}) | {"day": day}
        yield _("The review was given before the article came to this blog; %(name)s declared that on %(day)s.") % names
    names = isolated({"name": review.recorded_by or _("an unknown actor")})
    yield _("Recorded by %(name)s: %(kind)s.") % (names | {"kind": actor_in_words(review.actor_kind, review.actor_id)})
    if review.is_signed:
        yield _("Signed with a passkey.")


def _notice_text(label: Label) -> str:
    if label is Label.AI_ASSISTED:
        return _("that AI helped to make the article")
    return _("that it is not known whether AI helped")


def notice_in_words(span: NoticeSpan, version: JudgedVersion) -> str:
    """Return whether a notice was due in a part of the time of a version, and why."""
    times = {"since": moment_with_zone(span.since), "until": moment_with_zone(span.until)}
    if span.is_due:
        why = _joined(_GROUNDS[ground] for ground in span.grounds)
        facts = times | {"notice": _notice_text(span.label), "why": why}
        if span.until is not None:
            return _("From %(since)s until %(until)s a notice was due, %(notice)s: %(why)s.") % facts
        return _("From %(since)s on a notice was due, %(notice)s: %(why)s.") % facts
    if NoticeGround.WRITTEN_BY_PEOPLE in span.grounds:
        return _("No notice was due: the article is declared as written by people, without AI.")
    names = isolated({"name": version.review.reviewer_name if version.review else ""})
    facts = times | names
    if span.since == version.since:
        return (
            _(
                "No notice was due: %(name)s had checked the facts of exactly this version, "
                "and the blog names a responsible party."
            )
            % facts
        )
    return (
        _(
            "From %(since)s on no notice was due: %(name)s had checked the facts of exactly this version, "
            "and the blog names a responsible party."
        )
        % facts
    )


def _joined(parts: Iterable[Promise]) -> str:
    return _("; and ").join(str(part) for part in parts)


_SEPARATOR: Final = ", "
"""Django's catalogues have what separates the parts of a list in each language."""


def _listed(parts: Iterable[str]) -> str:
    return _(_SEPARATOR).join(parts)


def changes_in_words(names: Iterable[str]) -> str:
    """Return the parts of an article that a version changed."""
    return _listed(str(FIELD_WORDS.get(name, name)) for name in names)


def images_in_words(images: Sequence[AIImage]) -> str:
    """Return the notices that images of AI have for readers, with the files; empty without any."""
    files: defaultdict[str, list[str]] = defaultdict(list)
    for image in images:
        files[image_notice(image.source_type)].append(isolate(image.filename))
    parts = (
        _("%(notice)s: %(files)s.") % {"notice": notice, "files": _listed(names)} for notice, names in files.items()
    )
    return " ".join(parts)


def afterwards_in_words(version: JudgedVersion) -> str:
    """Return what happened to a version after readers saw it first."""
    time = {"time": moment_with_zone(version.until)}
    following = version.following
    if following is not None:
        if not version.changed_fields:
            return _("Published again on %(time)s with the same content.") % time
        names = time | {"fields": changes_in_words(version.changed_fields)}
        if following.review is None:
            return _("Changed on %(time)s: %(fields)s. No record says that the changed version was reviewed.") % names
        names |= isolated({"name": following.review.reviewer_name})
        names["reviewed"] = moment_with_zone(following.review.approved_at)
        return (
            _("Changed on %(time)s: %(fields)s. %(name)s checked the facts of the changed version on %(reviewed)s.")
            % names
        )
    if version.ending is VersionEnding.WITHDRAWN:
        return _("Not changed. Withdrawn on %(time)s: readers do not see it since.") % time
    if version.ending is VersionEnding.ARCHIVED:
        return _("Not changed. Removed on %(time)s and kept in the archive: readers do not see it since.") % time
    if version.ending is VersionEnding.UNRECORDED:
        return _("Not changed. Readers do not see it now; no record says since when.")
    return _("Not changed: readers see this version now.")


@dataclass(frozen=True, slots=True)
class PostSummary:
    """A post of a report in a few words, for tables."""

    origin: str
    images: str
    """The images of AI that readers saw in the period; empty without any."""
    review: str
    notice: str
    why: str
    """Whether a notice was due at the end of the period, and why."""
    is_due: bool


def summary_of(found: PostDisclosure) -> PostSummary:
    """Return the line of a table about a post; the review is that of its last version in the period."""
    last = found.versions[-1]
    due = [one for version in found.versions for one in version.spans if one.is_due]
    ends = last.spans[-1] if last.spans else None
    if not due:
        notice = _("Not due")
    elif ends is not None and ends.is_due:
        is_whole = len(due) == sum(len(version.spans) for version in found.versions)
        notice = _("Due for the whole time") if is_whole else _("Due for a part of the time, also at its end")
    else:
        notice = _("Due until %(time)s") % {"time": moment_with_zone(due[-1].until)}
    review = last.review or (last.reviews[-1] if last.reviews else None)
    if review is None:
        reviewed = _("No review")
    else:
        names = {"name": isolate(review.reviewer_name), "time": moment_with_zone(review.approved_at)}
        reviewed = _("%(name)s, %(time)s") % names
        if not review.facts_checked:
            reviewed = _("%(review)s, facts not checked") % {"review": reviewed}
    why = notice_in_words(ends, last) if ends is not None else ""
    origin, images = declared_origin(found.post.provenance), images_in_words(found.ai_images)
    return PostSummary(origin, images, reviewed, notice, why, bool(due))


def release_in_words(version: JudgedVersion) -> str:
    """Return how a version became public, and who released it."""
    kind = str(_RELEASED.get(version.release.entry_type, version.release.entry_type))
    release = version.release
    if release.released_by:
        actor = isolated({"name": release.released_by})
        actor["actor"] = actor_in_words(release.actor_kind, release.actor_id)
        return _("%(kind)s, released by %(name)s (%(actor)s)") % (actor | {"kind": kind})
    if release.actor_kind == ActorKind.SYSTEM:
        return _("%(kind)s, released by the system at the time for which it was scheduled") % {"kind": kind}
    return _("%(kind)s; who released it is not recorded") % {"kind": kind}
