from datetime import UTC, datetime

import pytest
from django.core.exceptions import DisallowedHost
from django.test import RequestFactory
from pytest_django import Settings

from blog_engine.access.responses import call_for
from blog_engine.actor import Actor, Call
from tests.requirements import requirement
from tests.support.hosts import blog_settings

NOW = datetime(2030, 1, 1, tzinfo=UTC)
ADA = Actor("Ada")


@requirement("api.answers.origin")
def test_urls_are_on_the_public_base_url(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url="https://blog.example.com")
    request = RequestFactory().get("/", headers={"Host": "evil.example"})

    assert call_for(request, actor=ADA, now=NOW) == Call(ADA, NOW, "https://blog.example.com")


@requirement("api.answers.origin")
@pytest.mark.parametrize(
    ("secure", "host", "expected"),
    [(False, "localhost:8000", "http://localhost:8000"), (True, "example.com", "https://example.com")],
)
def test_without_public_base_url_they_are_on_the_origin_of_the_request(
    settings: Settings, secure: bool, host: str, expected: str
) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url=None)
    request = RequestFactory().get("/", secure=secure, headers={"Host": host})

    assert call_for(request, actor=ADA, now=NOW).base_url == expected


def test_a_forged_host_is_never_used(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url=None)
    request = RequestFactory().get("/", headers={"Host": "evil.example"})

    with pytest.raises(DisallowedHost):
        call_for(request, actor=ADA, now=NOW)
