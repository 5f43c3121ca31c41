"""Forms that are sent twice, by a second click or by two processes at once, and count once (desk.once)."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from blog_engine.models import SentForm
from blog_engine.services._transaction import write_transaction

_KEPT: Final = timedelta(days=1)
_LONGEST: Final = timedelta(minutes=2)
"""A request that takes longer is lost, such as with its process; then the next one does the work."""


class Begun(NamedTuple):
    """The state of a form when a request brings it."""

    is_first: bool
    """Whether this request is the one that does what the form says."""
    leads_to: str = ""
    """The path of the page that followed the first request; empty while that is at work."""


def begin_form(key: str, *, now: datetime) -> Begun:
    """Return whether this request is the first one with this form, or where that led.

    Forms of more than a day ago are forgotten.
    """
    with write_transaction():
        form, is_first = SentForm.objects.get_or_create(key=key, defaults={"sent_at": now})
        if is_first:
            SentForm.objects.filter(sent_at__lte=now - _KEPT).delete()
        elif form.sent_at <= now - (_KEPT if form.leads_to else _LONGEST):
            again = SentForm.objects.filter(key=key, sent_at=form.sent_at)
            is_first = again.update(sent_at=now, leads_to="") == 1
    return Begun(is_first) if is_first else Begun(False, form.leads_to)


def end_form(key: str, *, leads_to: str) -> None:
    """Keep the page that followed a form that was carried out."""
    SentForm.objects.filter(key=key).update(leads_to=leads_to)


def forget_form(key: str) -> None:
    """Let a form be sent again, because nothing came of it."""
    SentForm.objects.filter(key=key).delete()
