"""Hidden pages, hidden posts and unserved redirects."""

from dataclasses import replace
from functools import wraps
from types import ModuleType

import pytest
from django.conf.urls.i18n import i18n_patterns
from django.http import HttpRequest, HttpResponse
from django.urls import include, path, re_path
from django.urls.resolvers import URLPattern, URLResolver
from pytest_django import Settings

from blog_engine import services
from blog_engine.doctor.routes import probe_route
from blog_engine.inputs.base import parse
from blog_engine.inputs.records import SaveRedirect
from blog_engine.mcp import definitions, methods
from blog_engine.mcp.registry import TOOLS
from blog_engine.mcp.views import endpoint
from tests.doctor.conftest import assert_verdict
from tests.requirements import requirement
from tests.support.factories import EDITOR, NOW, save
from tests.support.hosts import blog_settings
from tests.support.tables import verdict_of

pytestmark = pytest.mark.django_db


def page(request: HttpRequest, **parts: str) -> HttpResponse:
    return HttpResponse()


ENGINE = include("blog_engine.urls")
BLOG = path("blog/", ENGINE)


def serve(settings: Settings, *patterns: URLPattern | URLResolver) -> None:
    """Give the host these URL patterns."""
    module = ModuleType("urls_of_a_test")
    module.urlpatterns = list(patterns)  # type: ignore[attr-defined]
    settings.ROOT_URLCONF = module


def shadowed(settings: Settings, *patterns: URLPattern | URLResolver) -> bool:
    """Return whether the probe reports the page of these patterns, named ``special``, as hidden."""
    serve(settings, *patterns)
    status, message = verdict_of(probe_route)
    assert (status == "error") is ("special" in message)
    return status == "error"


@requirement("doctor.route")
def test_the_mount_is_named() -> None:
    assert_verdict(probe_route, "ok", "/blog")


def test_any_mount_is_ok(settings: Settings) -> None:
    serve(settings, path("", ENGINE))

    status, message = verdict_of(probe_route)

    assert (status, message.count("/"), "blog/" in message) == ("ok", 2, False)


WELL_KNOWN = path("", include("blog_engine.mcp.well_known"))


@requirement("oauth.doctor")
@pytest.mark.parametrize(
    ("patterns", "status"),
    [
        ([BLOG], "warning"),
        ([WELL_KNOWN, BLOG], "ok"),
        ([re_path(r"^\.well-known/", page), WELL_KNOWN, BLOG], "warning"),
        ([WELL_KNOWN, re_path(r"^\.well-known/", page), BLOG], "ok"),
        ([path("", ENGINE)], "ok"),
        ([re_path(r"^\.well-known/", page), path("", ENGINE)], "warning"),
    ],
)
def test_agents_that_do_not_find_the_server_are_a_warning(
    settings: Settings, patterns: list[URLPattern], status: str
) -> None:
    serve(settings, *patterns)
    silent = verdict_of(probe_route)[0]
    settings.BLOG_ENGINE = blog_settings(oauth=True)

    found, message = verdict_of(probe_route)

    assert (silent, found) == ("ok", status)
    assert ("well_known" in message) is (status == "warning")


@requirement("doctor.route")
def test_an_engine_that_is_not_mounted_is_an_error(settings: Settings) -> None:
    settings.ROOT_URLCONF = "django.contrib.auth.urls"

    assert verdict_of(probe_route)[0] == "error"


def test_a_host_without_urls_is_an_error(settings: Settings) -> None:
    del settings.ROOT_URLCONF

    assert verdict_of(probe_route)[0] == "error"


@requirement("doctor.route")
@pytest.mark.parametrize(
    "late",
    [
        path("blog/special/", page),
        path("blog/special/<int:year>/", page),
        path("blog/<slug:special>/", page),
        path("blog/", include([path("special/", page)])),
        path("", include([path("blog/special/", page)])),
        path("blog/more/", include([path("<int:year>/", include([path("special/", page)]))])),
        re_path(r"^blog/special/$", page),
        re_path(r"^blog/(?P<special>\d+)/$", page),
        re_path(r"blog/special\.html", page),
        re_path(r"^blog/", include([re_path(r"^special/$", page)])),
    ],
)
def test_a_page_behind_the_blog_and_under_its_mount_is_an_error(settings: Settings, late: URLPattern) -> None:
    assert shadowed(settings, BLOG, late)
    assert not shadowed(settings, late, BLOG)


@requirement("doctor.route")
@pytest.mark.parametrize(
    "late",
    [
        path("blogger/special/", page),
        path("blog", page),
        path("special/blog/", page),
        path("<slug:special>/blog/", page),
        path("<slug:section>/", include([path("blog/special/", page)])),
        re_path(r"^blogger/special/$", page),
        re_path(r"^blog(ger)?/special/$", page),
        re_path(r"^blo?g?/special/$", page),
        re_path(r"^blog/?special$", page),
        re_path(r"^(blog|journal)/special/$", page),
        re_path(r"^blog/special/$|^special/$", page),
    ],
)
def test_a_reachable_page_is_ok(settings: Settings, late: URLPattern) -> None:
    assert not shadowed(settings, BLOG, late)


def test_a_blog_at_the_root_hides_all_that_follows(settings: Settings) -> None:
    assert shadowed(settings, path("", ENGINE), path("special/", page))


def test_a_blog_below_another_include_hides_what_follows(settings: Settings) -> None:
    site = include([path("journal/", ENGINE)])

    assert shadowed(settings, path("press/", site), path("press/journal/special/", page))
    assert not shadowed(settings, path("press/", site), path("journal/special/", page))


def test_a_blog_below_the_language_hides_what_follows(settings: Settings) -> None:
    assert shadowed(settings, *i18n_patterns(BLOG, path("blog/special/", page)))


@requirement("doctor.route")
def test_every_hidden_page_is_listed_as_it_was_written(settings: Settings) -> None:
    serve(
        settings,
        BLOG,
        path("blog/one/<int:year>/", page),
        path("open/", page),
        re_path(r"^blog/two/$", page),
    )

    message = verdict_of(probe_route)[1]

    assert "/blog/one/<int:year>/, /blog/two/$" in message
    assert "open" not in message


@requirement("doctor.route.redirects")
@pytest.mark.parametrize("old_path", ["/news/soil", "/blogger", "/blog-old/soil", "/Blog/soil", "/"])
def test_a_redirect_outside_the_mount_needs_the_middleware(settings: Settings, old_path: str) -> None:
    redirect_from(old_path)
    without = verdict_of(probe_route)

    settings.MIDDLEWARE = [*settings.MIDDLEWARE, "blog_engine.middleware.RedirectMiddleware"]

    assert without[0] == "warning"
    assert f" {old_path}." in without[1]
    assert verdict_of(probe_route)[0] == "ok"


@requirement("doctor.route.redirects")
def test_the_blog_serves_the_redirects_under_its_mount_itself(subtests: pytest.Subtests) -> None:
    for old_path in ["/blog/earth", "/blog/category/earth", "/bl%6Fg/earth", "/blog/"]:
        with subtests.test(old_path=old_path):
            redirect_from(old_path)

            assert verdict_of(probe_route)[0] == "ok"


def test_a_blog_at_the_root_serves_all_redirects(settings: Settings) -> None:
    serve(settings, path("", ENGINE))
    redirect_from("/news/soil")

    assert verdict_of(probe_route)[0] == "ok"


def test_both_faults_are_reported(settings: Settings) -> None:
    serve(settings, BLOG, path("blog/special/", page))
    redirect_from("/news/soil")

    assert_verdict(probe_route, "error", "special", "/news/soil")


def redirect_from(old_path: str) -> None:
    data = parse(SaveRedirect, {"old_path": old_path, "new_path": "https://example.net/"})
    services.add_redirect(data, actor=EDITOR, now=NOW)


def hello(request: HttpRequest) -> HttpResponse:
    return HttpResponse("hello")


@requirement("agents.doctor")
def test_what_agents_see_is_reported() -> None:
    assert_verdict(probe_route, "ok", f"at /blog/mcp see {len(definitions())} tools")


@requirement("agents.doctor")
def test_another_view_at_the_path_of_the_agent_endpoint_is_an_error(settings: Settings) -> None:
    serve(settings, path("blog/mcp", hello), BLOG)

    assert_verdict(probe_route, "error", "/blog/mcp")


@requirement("agents.doctor")
@pytest.mark.parametrize(
    ("part", "broken", "method"),
    [
        ("TOOLS", {name: tool for name, tool in TOOLS.items() if name != "blog_list_posts"}, "tools/call"),
        ("TOOLS", {name: replace(tool, name="blog_list_posts") for name, tool in TOOLS.items()}, "tools/list"),
    ],
)
def test_a_failing_endpoint_is_an_error(
    monkeypatch: pytest.MonkeyPatch, part: str, broken: object, method: str
) -> None:
    monkeypatch.setattr(methods, part, broken)

    status, message = verdict_of(probe_route)

    assert (status, message.count(f"/blog/mcp fails: {method}")) == ("error", 2)


@requirement("agents.doctor")
def test_an_endpoint_without_authentication_is_an_error(settings: Settings) -> None:
    opened = wraps(endpoint)(lambda request: hello(request))
    serve(settings, path("blog/mcp", opened), BLOG)

    assert_verdict(probe_route, "error", "/blog/mcp without a token gets 200")


def test_a_switched_off_endpoint_is_mentioned(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(mcp={"enabled": False})

    assert_verdict(probe_route, "ok", "mcp.enabled")


def test_the_self_check_does_not_call_the_hook(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(authenticate=lambda request: pytest.fail("was called"))

    assert verdict_of(probe_route)[0] == "ok"


@requirement("doctor.route.hidden-posts")
def test_a_post_that_a_segment_hides_is_an_error(settings: Settings) -> None:
    save(title="Rubrik", slug="rubrik")
    settings.BLOG_ENGINE = blog_settings(route_segments={"category": "rubrik"})

    assert_verdict(probe_route, "error", "rubrik")
