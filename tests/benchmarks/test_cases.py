"""The measured requests, answered by a seeded blog."""

from collections.abc import Iterator
from itertools import islice

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from pytest_django import Settings

from benchmarks.speed.cases import CASES, Blog
from benchmarks.speed.names import ALL, OTHERS, PAGES, SERVED, SHORT, WRITES
from benchmarks.speed.requests import Server, environ_of
from benchmarks.speed.seed import seed
from benchmarks.speed.writes import forget_writes
from blog_engine.models import Image, Post


@pytest.fixture
def blog(db: None, settings: Settings) -> Iterator[Blog]:
    """A small seeded blog, beside the bare view."""
    settings.ROOT_URLCONF = "benchmarks.speed.urls"
    settings.ALLOWED_HOSTS = ["blog.example"]
    seed(30)
    # Between requests Django closes connections in a transaction, such as that of the test.
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield Blog()
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def test_every_name_has_a_case() -> None:
    assert {case.name for case in CASES if case.is_page} == {name for name in PAGES if not name.endswith(" 304")}
    assert {case.name for case in CASES if case.is_write} == set(WRITES)
    assert {case.name for case in CASES if not case.is_page and not case.is_write} == set(OTHERS)
    assert {*SHORT, *SERVED} <= set(ALL)


@pytest.mark.heavy
def test_every_request_is_answered_as_expected(blog: Blog) -> None:
    server = Server()
    asked = [(case.name, ask) for case in CASES for ask in islice(case.asks(blog), 3)]

    answers = [(name, server.send(environ_of(ask)).status) for name, ask in asked]

    assert answers == [(name, ask.status) for name, ask in asked]


@pytest.mark.postgres
def test_writes_are_forgotten(blog: Blog) -> None:
    def state() -> list[list[object]]:
        return [sorted(model.objects.values_list("pk", flat=True)) for model in (Post, Image)]

    before, server = state(), Server()
    for case in CASES:
        if case.is_write:
            for ask in islice(case.asks(blog), 2):
                server.send(environ_of(ask))
    written = state()

    forget_writes()

    assert all(len(rows) > len(seeded) for rows, seeded in zip(written, before, strict=True))
    assert state() == before
