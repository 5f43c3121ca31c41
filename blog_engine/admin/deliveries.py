"""The outbox of webhooks at the desk: what waits, what was given up, and a button that sends it again."""

import json
from collections.abc import Iterator
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext_lazy

from blog_engine.admin.base import DeskView, Permission
from blog_engine.admin.words import shown_moment
from blog_engine.enums import CheckStatus, EventType
from blog_engine.models import Delivery
from blog_engine.queries.deliveries import configured_receivers, outbox_state, shown_deliveries
from blog_engine.services.deliveries import retry_dead

MOST_SHOWN: Final = 100

EVENT_WORDS: Final = {
    EventType.PUBLISHED: pgettext_lazy("event", "Published"),
    EventType.UPDATED: pgettext_lazy("event", "Changed"),
    EventType.CORRECTED: pgettext_lazy("event", "Corrected"),
    EventType.WITHDRAWN: pgettext_lazy("event", "Withdrawn"),
    EventType.REMOVED: pgettext_lazy("event", "Removed"),
    EventType.PROPOSED: pgettext_lazy("event", "Change proposed"),
    EventType.REVIEW_REQUESTED: pgettext_lazy("event", "Review requested"),
    EventType.REVIEW_RETURNED: pgettext_lazy("event", "Sent back"),
}


class SendAgainForm(forms.Form):
    """The events that were given up and are sent again: one, or with 0 all."""

    delivery = forms.IntegerField(min_value=0, max_value=2**62)


class DeliveriesView(DeskView):
    """The deliveries that wait in the outbox or were given up."""

    permissions = (Permission.MANAGE_SUPPORTING,)

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show the events that were given up, then those that wait, the newest first."""
        receivers = {receiver.key: receiver.name for receiver in configured_receivers()}
        shown = [self._shown(row, receivers) for row in shown_deliveries()[:MOST_SHOWN]]
        return self.page(
            "deliveries.html",
            title=_("Deliveries"),
            receivers=sorted(set(receivers.values())),
            state=outbox_state(now=self.now),
            deliveries=shown,
            most=MOST_SHOWN,
            doctor=self.url("doctor"),
        )

    def post(self, request: HttpRequest) -> HttpResponse:
        """Make events due again; the next run of ``deliver_webhooks`` sends them."""
        form = SendAgainForm(request.POST)
        if form.is_valid():
            number = retry_dead(now=self.now, delivery=form.cleaned_data["delivery"] or None)
            text = ngettext("%(number)s event is sent again.", "%(number)s events are sent again.", number)
            messages.success(request, text % {"number": number})
        return HttpResponseRedirect(self.url("deliveries"))

    def _shown(self, row: Delivery, receivers: dict[str, str]) -> dict[str, Any]:
        is_dead, post = row.dead_at is not None, json.loads(row.payload)["data"]
        return {
            "pk": row.pk,
            "event": EVENT_WORDS[EventType(row.type)],
            "receiver": receivers.get(row.receiver) or _("a receiver that the settings no longer have"),
            "status": _("Given up") if is_dead else _("Waits"),
            "kind": CheckStatus.ERROR if is_dead else CheckStatus.WARNING if row.attempts else CheckStatus.OK,
            "text": " ".join(self._sentences(row)),
            "error": row.last_error,
            # The event has no title when readers have not seen the post.
            "title": post["title"] or str(post["id"]),
            "post_url": self.url("history", post["id"]),
            "is_dead": is_dead,
        }

    def _sentences(self, row: Delivery) -> Iterator[str]:
        yield _("Happened on %(time)s.") % {"time": shown_moment(row.created_at)}
        if row.attempts:
            yield ngettext("%(number)s attempt.", "%(number)s attempts.", row.attempts) % {"number": row.attempts}
        if row.dead_at is not None:
            yield _("Given up on %(time)s.") % {"time": shown_moment(row.dead_at)}
        elif row.attempts and row.next_attempt_at is not None and row.next_attempt_at > self.now:
            yield _("Next attempt on %(time)s.") % {"time": self.planned_time(row.next_attempt_at)}
