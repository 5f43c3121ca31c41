"""Proposals in plain words: their states, what they change, and the passages in which they do not fit."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from blog_engine.admin._comparison import FieldDifference, differences_between
from blog_engine.admin._history_words import provenance_name
from blog_engine.admin.post_form import REVISED, PostForm, field_label
from blog_engine.admin.words import shown_moment, status_name
from blog_engine.content.differences import Steps, TextDifference, text_difference
from blog_engine.enums import Change, ProposalState
from blog_engine.http.zones import planned_moment
from blog_engine.models import Proposal
from blog_engine.rules.isolation import isolated
from blog_engine.rules.proposals import PROPOSABLE_FIELDS, proposed_changes
from blog_engine.services import ProposedContent

STATES_OF_PROPOSALS: Final[Mapping[ProposalState, Promise]] = {
    ProposalState.OPEN: pgettext_lazy("state of a proposal", "Open"),
    ProposalState.SCHEDULED: pgettext_lazy("state of a proposal", "Scheduled"),
    ProposalState.OUTDATED: pgettext_lazy("state of a proposal", "Outdated"),
    ProposalState.APPLIED: pgettext_lazy("state of a proposal", "Applied"),
    ProposalState.REJECTED: pgettext_lazy("state of a proposal", "Rejected"),
    ProposalState.WITHDRAWN: pgettext_lazy("state of a proposal", "Withdrawn"),
}
KIND_NAMES: Final[Mapping[str, Promise]] = {
    Change.SUBSTANTIVE.value: pgettext_lazy("kind of change", "Update"),
    Change.CORRECTION.value: pgettext_lazy("kind of change", "Correction"),
    Change.MAINTENANCE.value: pgettext_lazy("kind of change", "Maintenance"),
}
AI_WORDS: Final[Mapping[bool | None, Promise]] = {
    True: gettext_lazy("With the help of AI"),
    False: gettext_lazy("Without AI"),
    None: gettext_lazy("Not stated whether AI helped"),
}
_NOT_IN_REVISIONS: Final = [name for name in PostForm.EDITED if name in PROPOSABLE_FIELDS and name not in REVISED]
"""The fields of a proposal that the payload of a revision does not hold."""


def kind_of_change(proposal: Proposal) -> str:
    """Return the kind of change that a proposal says, or an empty text."""
    sent = proposal.fields.get("change", "")
    return str(KIND_NAMES.get(sent, sent))


def changed_labels(proposal: Proposal) -> list[str]:
    """Return the labels of the fields that a proposal changes, in the order of the form."""
    return [field_label(name) for name in PostForm.EDITED if name in proposed_changes(proposal)]


def proposal_sentence(content: ProposedContent, zone: str) -> str:
    """Return what became of a proposal, or what it waits for; a planned time in a time zone."""
    names = isolated({"name": _("Somebody whose name is not recorded"), "time": ""})
    if content.decision is not None:
        by = content.decision.actor
        names = isolated({"name": by or names["name"], "time": shown_moment(content.decision.occurred_at)})
        if content.state is ProposalState.APPLIED:
            if by is None:
                return _("This proposal was applied on %(time)s, as scheduled.") % names
            return _("%(name)s applied this proposal on %(time)s.") % names
        if content.state is ProposalState.REJECTED:
            return _("%(name)s rejected this proposal on %(time)s.") % names
        return _("%(name)s withdrew this proposal on %(time)s.") % names
    if content.state is ProposalState.OUTDATED:
        return _("The post was changed since, and this proposal does not fit any more.")
    if content.schedule is not None:
        when = {"time": planned_moment(content.schedule.publish_at, zone)}
        return _("This proposal is going to be applied on %(time)s.") % when
    return _("This proposal waits for a decision. Readers see nothing of it.")


def proposal_differences(content: ProposedContent) -> list[FieldDifference]:
    """Return the fields that a proposal changes, with their differences to what it is compared with."""
    base, fields = content.proposal.base, content.proposal.fields
    outside = (
        FieldDifference(field_label(name), text_difference(_text(name, base[name]), _text(name, fields.get(name))))
        for name in _NOT_IN_REVISIONS
        if name in content.changed and name in base
    )
    return [*differences_between(content.before, content.after), *(one for one in outside if one.difference.is_changed)]


@dataclass(frozen=True, slots=True)
class ShownConflict:
    """A passage that both the proposal and another writer changed."""

    label: str
    sentence: str
    """What is the matter, for a conflict that is not one of texts."""
    base: str = ""
    present: str = ""
    proposed: str = ""
    since: TextDifference | None = None
    """What others changed since the proposal was made."""
    wanted: TextDifference | None = None
    """What the proposal changes."""


def shown_conflicts(content: ProposedContent) -> Iterator[ShownConflict]:
    """Yield why a proposal does not fit the post."""
    steps = Steps()
    for one in content.conflicts:
        if one.field == "status":
            name = {"state": status_name(one.present)}
            sentence = _("The state of the post is “%(state)s”: only public and scheduled posts take proposals.") % name
            yield ShownConflict(_("State"), sentence)
        elif one.field == "body_format":
            yield ShownConflict(field_label("body"), _("The text of the post has another format now."))
        elif one.present == one.proposed:
            yield ShownConflict(field_label(one.field), _("The post has this already: nothing is left to change."))
        else:
            base, present, proposed = (_text(one.field, value) for value in (one.base, one.present, one.proposed))
            yield ShownConflict(
                field_label(one.field),
                "",
                base,
                present,
                proposed,
                since=text_difference(base, present, steps=steps),
                wanted=text_difference(base, proposed, steps=steps),
            )


def _text(name: str, value: Any) -> str:
    """Return the value of a field of a proposal as text for people."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return pgettext("admin", "Yes") if value else pgettext("admin", "No")
    return _TEXTS.get(name, str)(value)


def _image_as_text(image: Any) -> str:
    return _("Image %(number)s of the library") % {"number": image["image_id"]}


_TEXTS: Final[Mapping[str, Callable[[Any], str]]] = {
    "tags": ", ".join,
    "coauthors": lambda authors: ", ".join(author["name"] for author in authors),
    "faq": lambda pairs: "\n\n".join(f"{pair['question']}\n{pair['answer']}" for pair in pairs),
    "cover_image": _image_as_text,
    "social_image": _image_as_text,
    "provenance": provenance_name,
}
