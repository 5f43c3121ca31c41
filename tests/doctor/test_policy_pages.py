"""Configured URLs are fetched over real sockets."""

from time import monotonic
from typing import Any

import pytest
from django.test.utils import override_script_prefix
from pytest_django import Settings

from blog_engine.doctor.content import probe_policy_pages
from blog_engine.enums import PolicyKind
from blog_engine.models import PolicyPage
from tests.fetching.conftest import Serve, serve
from tests.requirements import requirement
from tests.support.assertions import verdict_of
from tests.support.hosts import blog_settings
from tests.support.web import answer, by_path, drips, is_silent, says

__all__ = ["serve"]

pytestmark = pytest.mark.django_db

KINDS = [kind.value for kind in PolicyKind]


def publish_pages(*kinds: str, status: str = "published") -> None:
    for kind in kinds:
        PolicyPage.objects.create(kind=kind, slug=kind.replace("_", "-"), title=kind, status=status)


def configure(settings: Settings, urls: dict[str, str | None], **changes: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(policy_urls=urls, **changes)


@requirement("doctor.policy-pages")
def test_published_pages_are_enough(settings: Settings) -> None:
    configure(settings, {})
    publish_pages(*KINDS)

    assert verdict_of(probe_policy_pages)[0] == "ok"


@requirement("doctor.policy-pages")
def test_a_kind_without_a_page_is_a_warning(settings: Settings) -> None:
    configure(settings, {})
    publish_pages("corrections", "editorial")
    publish_pages("ai_use", status="draft")

    status, message = verdict_of(probe_policy_pages)

    assert status == "warning"
    assert message.startswith(
        "responsible_party: no published page or URL configured; ai_use: no published page or URL configured. "
    )


@requirement("doctor.policy-pages")
def test_configured_pages_that_answer_are_well(settings: Settings, serve: Serve) -> None:
    server = serve(says(answer(b"Hello")))
    configure(settings, {kind: f"http://127.0.0.1:{server.port}/{kind}" for kind in KINDS})

    assert verdict_of(probe_policy_pages)[0] == "ok"
    assert sorted(request.split("\n")[0] for request in server.requests) == sorted(
        f"GET /{kind} HTTP/1.1" for kind in KINDS
    )


@requirement("doctor.policy-pages")
@pytest.mark.parametrize("status", ["404 Not Found", "301 Moved", "204 No Content", "206 Partial", "500 Oops"])
def test_any_status_but_200_is_a_warning(settings: Settings, serve: Serve, status: str) -> None:
    server = serve(says(answer(status=status, Location="/elsewhere")))
    publish_pages(*KINDS)
    configure(settings, {"editorial": f"http://127.0.0.1:{server.port}/"})

    found, message = verdict_of(probe_policy_pages)

    assert found == "warning"
    assert message.startswith(f"editorial: HTTP {status[:3]}. ")


@requirement("doctor.policy-pages")
def test_all_problems_are_told_in_one_warning(settings: Settings, serve: Serve) -> None:
    server = serve(by_path({"/a": answer(status="404 Not Found"), "/b": answer(status="410 Gone")}))
    publish_pages("ai_use")
    address = f"http://127.0.0.1:{server.port}"
    configure(settings, {"responsible_party": f"{address}/a", "corrections": f"{address}/b"})

    message = verdict_of(probe_policy_pages)[1]

    assert message.startswith(
        "responsible_party: HTTP 404; corrections: HTTP 410; editorial: no published page or URL configured. "
    )


@requirement("doctor.secrets")
@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:1/",
        "http://no-such-host.invalid/",
        "http://ada:secret@127.0.0.1/",
        "ftp://127.0.0.1/",
        "//127.0.0.1/",
        "about.html",
        "mailto:ada@example.com",
    ],
)
def test_an_address_that_cannot_be_opened_is_a_warning(settings: Settings, url: str) -> None:
    publish_pages(*KINDS)
    configure(settings, {"editorial": url})

    status, message = verdict_of(probe_policy_pages)

    assert status == "warning"
    assert message.startswith("editorial: unavailable (")
    assert "secret" not in message


@requirement("doctor.policy-pages.timeout")
def test_a_body_is_not_waited_for(settings: Settings, serve: Serve) -> None:
    server = serve(drips(answer(), b"."))
    publish_pages(*KINDS)
    configure(settings, {"editorial": f"http://127.0.0.1:{server.port}/"})

    assert verdict_of(probe_policy_pages)[0] == "ok"


@requirement("doctor.policy-pages.timeout")
def test_four_servers_that_say_nothing_are_waited_for_together(settings: Settings, serve: Serve) -> None:
    server = serve(is_silent)
    configure(settings, {kind: f"http://127.0.0.1:{server.port}/{kind}" for kind in KINDS})
    start = monotonic()

    message = verdict_of(probe_policy_pages)[1]

    assert monotonic() - start < 4
    assert message.count("unavailable (") == 4


@pytest.mark.parametrize("prefix", ["", "/site"])
def test_a_path_is_opened_on_the_public_address(settings: Settings, serve: Serve, prefix: str) -> None:
    server = serve(says(answer()))
    publish_pages(*KINDS)
    configure(settings, {"editorial": "/about/"}, public_base_url=f"http://127.0.0.1:{server.port}")

    with override_script_prefix(f"{prefix}/"):
        status = verdict_of(probe_policy_pages)[0]

    assert status == "ok"
    assert server.requests[0].startswith(f"GET {prefix}/about/ ")


def test_a_path_cannot_be_checked_without_a_public_address(settings: Settings) -> None:
    publish_pages(*KINDS)
    configure(settings, {"editorial": "/about/"}, public_base_url=None)

    status, message = verdict_of(probe_policy_pages)

    assert status == "warning"
    assert message.startswith("editorial: ")
    assert "public_base_url" in message


@requirement("doctor.policy-pages")
def test_a_configured_address_takes_the_place_of_the_page(settings: Settings, serve: Serve) -> None:
    server = serve(says(answer(status="404 Not Found")))
    publish_pages(*KINDS)
    configure(settings, {"editorial": f"http://127.0.0.1:{server.port}/", "corrections": " "})

    assert verdict_of(probe_policy_pages)[1].startswith("editorial: HTTP 404. ")
