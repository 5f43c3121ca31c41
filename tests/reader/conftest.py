"""Reader tests run at a fixed time, after all dates of the factories."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.cache import caches
from django.db import connection
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.views.generic import View

from blog_engine.inputs.base import parse
from blog_engine.inputs.records import SavePage
from blog_engine.models import PolicyPage, Post
from blog_engine.queries.previews import preview_token
from blog_engine.reader import sidebar
from blog_engine.services import save_page
from tests.support.factories import EDITOR, LATER
from tests.support.hosts import PLACES, Place, at
from tests.support.pages import Visitor

TODAY = LATER + timedelta(days=1)


def parent(change: Callable[[HttpRequest, HttpResponseBase], object]) -> type[View]:
    """Return a parent class of a host that changes each answer, or replaces it by what ``change`` returns."""

    class Parent(View):
        def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            response = super().dispatch(request, *args, **kwargs)
            changed = change(request, response)
            return changed if isinstance(changed, HttpResponseBase) else response

    return Parent


def write_policy(kind: str = "ai_use", **fields: Any) -> PolicyPage:
    """Save a policy page, published unless ``fields`` say otherwise."""
    sent = {"title": "How we use AI", "body": "Sparingly.", "status": "published"} | fields
    return save_page(parse(SavePage, sent, fixed={"kind": kind}), actor=EDITOR, now=LATER).page


def preview_path(post: Post) -> str:
    """Return the path of the preview of a draft, below the mount."""
    issued = preview_token(Post.objects.get(pk=post.pk), now=TODAY)
    assert issued is not None
    return f"/preview/{issued.token}"


def statements(visitor: Visitor, path: str, *, status: int = 200) -> list[str]:
    """Return the statements that a page takes."""
    with CaptureQueriesContext(connection) as queries:
        assert visitor.get(path).status_code == status
    return [query["sql"] for query in queries]


def count_queries(visitor: Visitor, path: str, *, status: int = 200) -> int:
    """Return how many queries a page takes."""
    return len(statements(visitor, path, status=status))


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(TODAY, tick=False) as traveller:
        yield traveller


@pytest.fixture(autouse=True)
def cache_of_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep popular posts in memory, where the moved clock counts and no other worker writes."""
    monkeypatch.setattr(sidebar, "cache", caches["memory"])
    caches["memory"].clear()


@pytest.fixture
def visitor(client: Client, db: None) -> Visitor:
    return Visitor(client)


_FAST_PLACES = {"root", "letters"}


@pytest.fixture(
    params=[name if name in _FAST_PLACES else pytest.param(name, marks=pytest.mark.heavy) for name in PLACES]
)
def place(request: pytest.FixtureRequest, db: None) -> Iterator[Place]:
    """Mount the blog at each of the places."""
    with at(request.param) as found:
        yield found
