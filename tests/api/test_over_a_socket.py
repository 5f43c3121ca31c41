"""What a test client cannot send: a POST without a length."""

from http.client import HTTPConnection

import pytest

from tests.api.conftest import BASE
from tests.support.clients import answer_on, send_head

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("plumbing")]

NOTES = f"{BASE}/notes"


def test_a_request_without_a_body_needs_no_length(server: HTTPConnection, headers: dict[str, str]) -> None:
    send_head(server, NOTES, headers)

    status, said = answer_on(server)
    assert (status, said["input"]) == (201, {})
