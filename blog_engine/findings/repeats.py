"""The checks for writes that said nothing new, as a client sends them again after a time-out."""

from collections.abc import Iterable
from typing import Final

from django.utils.translation import gettext_noop as _

from blog_engine.findings.base import Finding, Subject

_NOT_ADDED: Final = frozenset({"note", "propose"})


def already_recorded(subject: Subject) -> Iterable[Finding]:
    for name in subject.write.repeated:
        if name in _NOT_ADDED:
            message = _("The same was recorded in the last ten minutes, so it was not recorded again.")
        else:
            message = _("The same was recorded in the last ten minutes, and now once more. Nothing more is to be sent.")
        yield Finding.of("already_recorded", None, message, name)


def nothing_changed(subject: Subject) -> Finding | None:
    if not subject.write.unchanged:
        return None
    message = (
        "This write changes nothing of the public revision, so no publication was recorded, the dates stay, and "
        "change, change_description and note were not kept. Leave change out where only other fields change."
    )
    plain = _("Nothing changed of what the history records, so no publication was recorded and the dates stay.")
    return Finding.of("nothing_changed", None, message, "change", plain=plain)
