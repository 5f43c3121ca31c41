"""Uploads to one ticket, and tickets of one actor, at the same time, on PostgreSQL."""

import pytest

from blog_engine import services
from blog_engine.errors import RateLimited, UploadTicketClosed
from blog_engine.inputs.images import FillUploadTicket, ImageBytes, UploadTicketFor
from blog_engine.models import Image, UploadTicket
from blog_engine.services.upload_tickets import MOST_OPEN
from tests.concurrency.races import Held, race, slowly, together
from tests.requirements import requirement
from tests.support.factories import EDITOR, NOW
from tests.support.images import png

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("own_images")]


def announce(data: bytes = png()) -> services.NewUploadTicket:
    sent = UploadTicketFor(filename="quay.png", content_type="image/png", byte_size=len(data))
    return services.open_upload_ticket(sent, actor=EDITOR, now=NOW)


def fill(new: services.NewUploadTicket) -> Image:
    file = ImageBytes(png(), "quay.png", "image/png")
    sent = FillUploadTicket(id=str(new.ticket.pk), secret=new.secret, file=file)
    return services.fill_upload_ticket(sent, actor=EDITOR, now=NOW)


@requirement("images.tickets.racing")
def test_of_two_uploads_one_is_stored() -> None:
    new, held = announce(), Held()

    one, two = race(held, slowly(held, lambda: fill(new)), lambda: fill(new))

    assert one == Image.objects.get()
    assert two is UploadTicketClosed


@requirement("images.tickets.racing")
def test_of_many_uploads_one_is_stored() -> None:
    new = announce()

    outcomes = together(*[lambda: fill(new)] * 6)

    assert outcomes.count(UploadTicketClosed) == 5
    assert [one for one in outcomes if one is not UploadTicketClosed] == [Image.objects.get()]


@requirement("images.tickets.most")
def test_tickets_that_are_opened_at_once_keep_the_limit() -> None:
    for _ in range(MOST_OPEN - 2):
        announce()

    outcomes = together(*[announce] * 5)

    assert outcomes.count(RateLimited) == 3
    assert UploadTicket.objects.count() == MOST_OPEN
