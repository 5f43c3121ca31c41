"""Forms that are sent twice, by a second click or by two processes at once, and count once (desk.once)."""

from datetime import datetime, timedelta
from typing import Final

from blog_engine.models import SentForm
from blog_engine.services._transaction import write_transaction

_KEPT: Final = timedelta(days=1)
_LONGEST: Final = timedelta(minutes=2)
"""A request that takes longer is lost, such as with its process; then the next one does the work."""


def begin_form(key: str, *, now: datetime) -> bool:
    """Return whether this request is the one that does what the form with this key says.

    Any other one is told ``False`` until the first ends. Forms of more than a day ago are forgotten.
    """
    with write_transaction():
        SentForm.objects.filter(sent_at__lte=now - _KEPT).delete()
        form, is_first = SentForm.objects.get_or_create(key=key, defaults={"sent_at": now})
        if not is_first and not form.leads_to and form.sent_at <= now - _LONGEST:
            is_first = SentForm.objects.filter(key=key, sent_at=form.sent_at).update(sent_at=now) == 1
    return is_first


def end_form(key: str, *, leads_to: str) -> None:
    """Keep the page that followed a form that was carried out."""
    SentForm.objects.filter(key=key).update(leads_to=leads_to)


def forget_form(key: str) -> None:
    """Let a form be sent again, because nothing came of it."""
    SentForm.objects.filter(key=key).delete()
