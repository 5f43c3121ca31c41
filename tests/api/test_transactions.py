import pytest
from django.db import connection

from tests.requirements import requirement
from tests.support.clients import client_with
from tests.support.urlconfs.plumbing import BASE


@requirement("api.answers.transactions")
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("plumbing")
def test_a_host_cannot_wrap_a_request_into_a_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.settings_dict, "ATOMIC_REQUESTS", True)

    response = client_with("read").get(f"{BASE}/notes")

    assert response.json()["in_transaction"] is False
