"""The measured requests of a person at the desk."""

from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import import_module
from itertools import cycle
from typing import Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.urls import reverse
from lxml import html

from benchmarks.speed.names import PERSON
from benchmarks.speed.requests import Ask, Server, environ_of
from benchmarks.speed.texts import post_text
from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.inputs.base import parse
from blog_engine.inputs.posts import SavePost
from blog_engine.models import Post

_TOKEN: Final = "t" * 32
"""The token against forged requests, in the cookie as in the form."""
_SHOWN: Final = 20


class Desk:
    """A person who may do everything at the desk, and their browser."""

    def __init__(self) -> None:
        users = get_user_model().objects
        user = users.filter(username=PERSON).first() or users.create_superuser(PERSON)
        session = import_module(settings.SESSION_ENGINE).SessionStore()
        session[SESSION_KEY], session[HASH_SESSION_KEY] = str(user.pk), user.get_session_auth_hash()
        session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        session.save()
        self._server = Server()
        cookies = {settings.SESSION_COOKIE_NAME: session.session_key, settings.CSRF_COOKIE_NAME: _TOKEN}
        self.headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}

    def lists(self) -> Iterator[Ask]:
        """Return requests for the pages of the list of posts."""
        path = reverse("admin:blog_engine_post_changelist")
        return cycle([Ask(f"{path}{query}", headers=self.headers) for query in ("", "?p=2", "?p=3")])

    def forms(self) -> Iterator[Ask]:
        """Return requests for the editor of posts."""
        ids = Post.objects.order_by("pk").values_list("pk", flat=True)[:_SHOWN]
        return cycle([Ask(_url("change", pk), headers=self.headers) for pk in ids])

    def previews(self, number: int) -> Iterator[Ask]:
        """Return requests for the preview of a draft."""
        draft = _draft(number)
        return cycle([self._sent(_url("preview", draft), self._fields(draft))])

    def autosaves(self, number: int) -> Iterator[Ask]:
        """Return requests that save a sentence which was added to a draft, each to another draft."""
        while True:
            draft = _draft(number)
            fields = self._fields(draft)
            fields["body"] = [f"{fields['body'][0]}\nOne more sentence.\n"]
            yield self._sent(_url("autosave", draft), fields)
            number += 1

    def _fields(self, post_id: int) -> dict[str, list[Any]]:
        """Return the fields of the editor as a browser would send them."""
        page = html.fromstring(self._server.send(environ_of(Ask(_url("change", post_id), headers=self.headers))).body)
        (form,) = [one for one in page.forms if "opened" in one.fields]
        fields: dict[str, list[Any]] = {}
        for element in form.xpath(".//input | .//textarea | .//select"):
            kind, name = element.get("type"), element.get("name")
            is_off = kind in {"checkbox", "radio"} and element.get("checked") is None
            if name and kind not in {"file", "submit"} and not is_off and not element.xpath("ancestor::template"):
                fields.setdefault(name, []).append("on" if kind == "checkbox" else element.value or "")
        return fields

    def _sent(self, path: str, fields: dict[str, list[Any]]) -> Ask:
        body = urlencode(fields | {"csrfmiddlewaretoken": [_TOKEN]}, doseq=True).encode()
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return Ask(path, "POST", body, self.headers | kind)


def _url(page: str, post_id: int) -> str:
    return reverse(f"admin:blog_engine_post_{page}", args=[post_id])


def _draft(number: int) -> int:
    """Make a draft of 1,200 words."""
    fields = post_text(number).fields()
    half = "\n\n".join(post_text(number + 1).body.split("\n\n")[:8])
    data = parse(SavePost, fields | {"body": f"{fields['body']}\n{half}\n"})
    return services.save_draft(data, actor=Actor("Ines Editor"), now=datetime.now(UTC)).post.pk
