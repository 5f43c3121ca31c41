"""The API answers in English, whatever the language of the site."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from tests.requirements import requirement
from tests.support import factories
from tests.support.clients import client_with
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db

POSTS = "/blog/api/v1/posts"


def messages(client: Client) -> list[str]:
    """What the API says in refusals and findings."""
    refusals: list[Any] = [
        Client().get(POSTS),
        client.get(f"{POSTS}?page=x"),
        client.get(f"{POSTS}/nothing"),
        client.put(POSTS),
        client.delete(f"{POSTS}/frost"),
        client.patch(f"{POSTS}/frost", {"title": "New"}, content_type="application/json"),
        client.patch(f"{POSTS}/frost", {"made_up": 1, "title": 5}, content_type="application/json"),
        client.patch(f"{POSTS}/frost", {"title": 5}, content_type="application/json"),
    ]
    findings = client.get(f"{POSTS}/frost/findings").json()["findings"]
    return [answer.json()["error"]["message"] for answer in refusals] + [finding["message"] for finding in findings]


@requirement("api.answers.english")
def test_messages_are_the_same_in_every_locale(settings: Settings) -> None:
    factories.save(slug="frost", publish=True)
    client = client_with("read", "write")
    in_english = messages(client)

    settings.LANGUAGE_CODE = "de"
    settings.BLOG_ENGINE = blog_settings(locale="fr")
    settings.MIDDLEWARE = ["django.middleware.locale.LocaleMiddleware", *settings.MIDDLEWARE]
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "ar"

    assert messages(client) == in_english
    assert in_english[0] == "An authenticated actor is required."
    assert len(in_english) > 12
