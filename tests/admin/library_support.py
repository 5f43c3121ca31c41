"""Pages of supporting records as an editor uses them."""

from typing import Any

from django.contrib.admin.models import LogEntry
from django.test import Client

from tests.admin.desk import url


def page_of(client: Client, page: str, *args: object) -> str:
    """Return the HTML of a page of the desk."""
    answer = client.get(url(page, *args))
    assert answer.status_code == 200
    return answer.content.decode()


def sent(client: Client, page: str, *args: object, **fields: Any) -> Any:
    """Return the answer to a form of the desk."""
    return client.post(url(page, *args), fields)


def faults(answer: Any) -> list[str | None]:
    """Return the fields at fault of a form that was shown again; ``__all__`` for the form."""
    assert answer.status_code == 200
    return list(answer.context["form"].errors)


def logged() -> list[tuple[int, str]]:
    """Return what the log of the admin has: 1 for an addition, 2 for a change, 3 for a deletion, and the record."""
    return list(LogEntry.objects.order_by("pk").values_list("action_flag", "object_repr"))
