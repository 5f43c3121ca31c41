"""The form of a post as a browser without scripts opens and sends it."""

from typing import Any

from django.http import HttpResponse
from django.test import Client
from lxml import html

from tests.admin.desk import url

Fields = dict[str, list[Any]]


def opened(client: Client, post_id: int | None = None) -> Fields:
    """The fields of the editor with the values that it shows; those of a new post without an id."""
    return form_on(client.get(address(post_id)))


def form_on(answer: Any) -> Fields:
    """The fields of the form on a page, with their values."""
    assert answer.status_code == 200, answer
    (form,) = [one for one in html.fromstring(answer.content).forms if "opened" in one.fields]
    fields: Fields = {}
    for element in form.xpath(".//input | .//textarea | .//select"):
        name = element.get("name")
        if name is None or element.get("type") in {"file", "submit"} or element.xpath("ancestor::template"):
            continue
        if element.get("type") in {"checkbox", "radio"} and element.get("checked") is None:
            continue
        value = element.value
        # A parser of HTML drops the first line end of a text field.
        value = value.removeprefix("\n") if element.tag == "textarea" else value
        fields.setdefault(name, []).append("on" if element.get("type") == "checkbox" else value or "")
    return fields


def address(post_id: int | None) -> str:
    """The path of the editor."""
    return url("post_add") if post_id is None else url("post_change", post_id)


def send(client: Client, path: str, fields: Fields, **changes: Any) -> HttpResponse:
    """Send fields, with some changed, as a browser does; ``None`` leaves one out."""
    sent = {name: value if isinstance(value, list) else [value] for name, value in (fields | changes).items()}
    return client.post(
        path,
        {
            name: [one.replace("\n", "\r\n") if isinstance(one, str) else one for one in values]
            for name, values in sent.items()
            if values != [None]
        },
    )


def save_post(client: Client, post_id: int | None = None, **changes: Any) -> HttpResponse:
    """Open the editor, change fields and press Save."""
    return send(client, address(post_id), opened(client, post_id), **changes)
