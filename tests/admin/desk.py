"""The desk as a signed-in person uses it, in a browser without scripts."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from lxml import html

from blog_engine.models import Post
from blog_engine.queries.posts import read_post
from tests.support.tables import everything_stored, undone

Fields = dict[str, list[Any]]

WRITER = ("view_post", "write_post")
EDITOR = (*WRITER, "publish_post", "approve_post", "manage_supporting")


def person(*permissions: str, name: str = "Wanda Writer") -> Any:
    """A member of staff with these permissions of the desk; the user name is the name in lower case, with dots."""
    first, _, last = name.partition(" ")
    user = get_user_model().objects.create_user(
        name.lower().replace(" ", "."), first_name=first, last_name=last, is_staff=True
    )
    user.user_permissions.set(
        Permission.objects.filter(content_type__app_label="blog_engine", codename__in=permissions)
    )
    return user


def desk(*permissions: str, name: str = "Wanda Writer", checks_csrf: bool = False) -> Client:
    """A client in which such a person is signed in."""
    client = Client(enforce_csrf_checks=checks_csrf)
    client.force_login(person(*permissions, name=name))
    return client


def url(page: str, *args: object, site: str = "admin") -> str:
    """The path of a page of the desk, such as ``post_review``."""
    return reverse(f"{site}:blog_engine_{page}", args=args)


@contextmanager
def nothing_written() -> Iterator[None]:
    """Assert that the block leaves every row and file as it was."""
    before = everything_stored()
    with undone():
        yield
        assert everything_stored() == before


def stored(post: Post) -> Post:
    """The post as it is now."""
    return read_post(post.pk)


# Pages and forms of supporting records


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


# The form of a post


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


# Confirmations and reviews


def seen(post: Post) -> dict[str, Any]:
    """What the hidden fields of a confirmation hold for the post as it is now."""
    now = stored(post)
    return {
        "expected_version": now.version,
        "seen_status": now.status,
        "seen_revision": now.current_revision_identifier,
    }


def confirm(client: Client, page: str, post: Post, **fields: Any) -> Any:
    """Send the confirmation of a page that was just opened; ``fields`` replace or add to what it holds."""
    return client.post(url(f"post_{page}", post.pk), {**seen(post), **fields})


def text_of(answer: Any) -> str:
    """The text of the page between its tags, in one line, without scripts and the sidebar."""
    content = answer.content.decode()
    start, end = content.find("<main"), content.find("</main>")
    shown = re.sub(r"<script.*?</script>", " ", content[max(start, 0) : end], flags=re.S)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", shown)).split())
