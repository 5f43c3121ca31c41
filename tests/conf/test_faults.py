import re
from collections import OrderedDict
from datetime import timedelta

import pytest

from blog_engine.conf import FaultKind
from blog_engine.conf.faults import faults_in, improperly_configured
from tests.requirements import requirement
from tests.support.hosts import REQUIRED

WRONG = FaultKind.WRONG_VALUE


def _named(host_settings: object) -> list[tuple[FaultKind, str]]:
    return [(fault.kind, fault.key) for fault in faults_in(host_settings)]


@requirement("host.settings")
@pytest.mark.parametrize(
    ("key", "value"),
    [
        *[("site_name", value) for value in ("", "  ", None, 5, b"Garden")],
        *[("public_base_url", value) for value in (5, "", "example.com", "//example.com", "ftp://example.com")],
        *[("public_base_url", f"https://example.com{rest}") for rest in ("/blog", "//", "?", "?a=1", "#", "/#top")],
        *[
            ("public_base_url", f"https://{host}")
            for host in ("ada@example.com", "a:b@example.com", "", ":8000", "a b")
        ],
        *[("public_base_url", f"https://example.com{port}") for port in (":", ":0", ":70000", ":x", "\\@evil.com")],
        *[("public_base_url", value) for value in ("https://example.com\n", " https://example.com", "https://[::1")],
        *[("public_base_url", "https://münchen.example"), ("public_base_url", "javascript:alert(1)")],
        *[("locale", value) for value in ("", "en ", "en--us", None, 5, "en/us")],
        *[("blog_title", ""), ("blog_title", None), ("blog_tagline", 5), ("title_suffix", None)],
        *[("layout", ""), ("layout", None), ("storage", ""), ("storage", None)],
        *[("posts_per_page", value) for value in (0, -1, "12", 12.0, True, None)],
        *[("feed_size", 0), ("max_image_bytes", "10 MB"), ("max_body_bytes", 0)],
        *[("trusted_proxies", value) for value in (-1, "1", True, ["10.0.0.0/8"])],
        *[("primary_list_type", value) for value in ("category", "Tags", None)],
        *[("markdown_plugins", value) for value in ("a.b", [5], ["nodots"], None, {"a.b": 1})],
        *[("diagrams", value) for value in ({"Mermaid": "a.js"}, {"mermaid": ""}, {"": "a.js"}, {"m": 5}, [], None)],
        *[("embeds", value) for value in ("youtube", ["tube"], True, None)],
        *[("color_scheme", "auto"), ("card_art", "loud"), ("ai_label", "never"), ("feed_content", True)],
        *[("image_delivery", "stream"), ("image_fetch_policy", "private")],
        *[("require_approval", value) for value in ("yes", 1, 0, None, "true")],
        *[("approvals_by", value) for value in ("person", "People", True, None, ["people"], "")],
        *[("distinct_reviewer", value) for value in ("yes", 1, None)],
        *[("faq_collapsed", "yes"), ("serve_sitemap", 0), ("markdown_hardbreaks", "no"), ("page_views", None)],
        *[("body_formats", value) for value in ([], "markdown", ["html"], [None], {"markdown"}, None)],
        *[("default_body_format", value) for value in ("rich_text", "html", None)],
        *[("preview_expires_in", value) for value in (0, -1, "60", True, None, 1.5, float("inf"), 10**30)],
        *[("preview_expires_in", value) for value in (timedelta(), timedelta(days=-1), timedelta(days=36_501))],
        *[("page_view_bot_pattern", value) for value in ("(", re.compile(b"bot"), None, 5)],
        *[("page_view_retention_days", value) for value in (0, "30", True)],
        *[("sign_in_destinations", value) for value in ("/login", ["login"], ["//example.com"], [5], [""])],
        *[("image_content_types", value) for value in ("image/png", ["png"], ["text/html"], [5], None)],
        *[("api_rate_limit", value) for value in ("120", "0/m", "120/", "120/minute", "120/0m", "x/m", 7, None, "")],
        *[("search_rate_limit", value) for value in ((30, 60), "30/m\n", "-1/m")],
        *[("authenticate", value) for value in (5, "authenticate", "a..b", "not a path", "", ".a")],
        *[("before_publish", value) for value in (5, "", True)],
        *[("parent_controller", value) for value in (5, "", len)],
        *[(key, value) for key in ("mcp", "popular_posts", "policy_urls") for value in (None, True, [], "x")],
        *[("theme_colors", "dark"), ("route_segments", []), ("call_to_action", "Write to us"), ("publisher", "Press")],
        *[("route_segments", {"tag": "series"}), ("route_segments", {"tag": "x", "author": "x"})],
    ],
)
def test_a_wrong_value_is_named(key: str, value: object) -> None:
    assert _named({**REQUIRED, key: value}) == [(WRONG, key)]


@requirement("host.settings")
@pytest.mark.parametrize(
    ("key", "value", "inner"),
    [
        *[("mcp", {"enabled": value}, "mcp.enabled") for value in ("yes", 1, None)],
        *[("mcp", {"max_page_size": value}, "mcp.max_page_size") for value in (0, "50", True, None)],
        *[("popular_posts", {"days": value}, "popular_posts.days") for value in (0, 36_501, "30")],
        *[("popular_posts", {"limit": value}, "popular_posts.limit") for value in (0, 101, True)],
        *[("popular_posts", {"enabled": None}, "popular_posts.enabled")],
        *[("default_provenance", value, "default_provenance") for value in ("AI", "", None, True)],
        *[("default_author", {"name": value}, "default_author.name") for value in ("", " ", None, 5)],
        *[("default_author", {"name": "A", "type": value}, "default_author.type") for value in ("robot", "", None)],
        *[
            ("default_author", {"name": "A", "url": value}, "default_author.url")
            for value in ("/ada", "ada.com", "", 5)
        ],
        *[("publisher", {"name": "P", "logo_url": value}, "publisher.logo_url") for value in ("//x.com", "data:,")],
        *[("policy_urls", {"ai_use": 5}, "policy_urls.ai_use")],
        *[("call_to_action", {"label": "", "url": "/a"}, "call_to_action.label")],
        *[("route_segments", {"tag": value}, "route_segments.tag") for value in ("Tag", "a b", "-a", "a--b", "", "é")],
        *[("route_segments", {"tag": value}, "route_segments.tag") for value in ("feed", "api", "mcp", "sitemap")],
        *[("route_segments", {"tag": value}, "route_segments.tag") for value in ("search", "preview", "media")],
        ("route_segments", {"tag": "checkpoints"}, "route_segments.tag"),
        *[("route_segments", {"tag": value}, "route_segments.tag") for value in ("policies", "tag\n", "a" * 201, None)],
        *[
            ("theme_colors", {"text": value}, "theme_colors.text")
            for value in ("red", "#ffff", "#ggg", "", "#fff\n", 5)
        ],
        *[("theme_colors", {"dark": {"text": "rgb(0,0,0)"}}, "theme_colors.dark.text")],
        *[("theme_colors", {"dark": "#000"}, "theme_colors.dark")],
    ],
)
def test_a_wrong_value_inside_a_dictionary_is_named_by_its_dotted_name(key: str, value: object, inner: str) -> None:
    assert _named({**REQUIRED, key: value}) == [(WRONG, inner)]


@pytest.mark.parametrize("host_settings", [None, [], "Garden Journal", 5, {**REQUIRED, "\ud800": 1}])
def test_settings_that_are_no_dictionary_are_one_fault(host_settings: object) -> None:
    assert _named(host_settings) == [(WRONG, "BLOG_ENGINE")]


def test_any_kind_of_dictionary_will_do() -> None:
    assert _named(OrderedDict(REQUIRED)) == []


@requirement("host.settings")
@pytest.mark.parametrize(
    ("written", "key", "suggestion"),
    [
        ({"site_nmae": "x"}, "site_nmae", "site_name"),
        ({"per_page": 5}, "per_page", "posts_per_page"),
        ({"SITE_NAME": "x"}, "SITE_NAME", None),
        ({"mount_path": "/blog"}, "mount_path", None),
        ({"theme": "ink"}, "theme", None),
        ({"syntax_theme": "github"}, "syntax_theme", None),
        ({"rate_limit_store": "default"}, "rate_limit_store", None),
        ({"storage_service": "s3"}, "storage_service", None),
        ({5: 1}, "5", None),
        ({"mcp": {"max_pagesize": 5}}, "mcp.max_pagesize", "mcp.max_page_size"),
        ({"theme_colors": {"surface-raised": "#fff"}}, "theme_colors.surface-raised", "theme_colors.surface_raised"),
        ({"theme_colors": {"dark": {"light": {}}}}, "theme_colors.dark.light", None),
        ({"policy_urls": {"ai": "/ai"}}, "policy_urls.ai", None),
        ({"call_to_action": {"label": "a", "url": "/", "txt": "b"}}, "call_to_action.txt", "call_to_action.text"),
        (
            {"brand": {"navigation": [{"label": "a", "url": "/", "lable": "b"}]}},
            "brand.navigation[0].lable",
            "brand.navigation[0].label",
        ),
    ],
)
def test_an_unknown_key_is_named_with_the_nearest_setting(
    written: dict[object, object], key: str, suggestion: str | None
) -> None:
    (fault,) = faults_in({**REQUIRED, **written})

    assert (fault.kind, fault.key) == (FaultKind.UNKNOWN_KEY, key)
    if suggestion:
        assert f"{suggestion}?" in fault.hint


def test_every_missing_name_is_named() -> None:
    missing = [(FaultKind.MISSING, key) for key in ("site_name", "default_author.name", "publisher")]

    assert _named({"default_author": {}}) == missing


def test_a_wrong_choice_is_answered_with_the_nearest_one() -> None:
    (fault,) = faults_in({**REQUIRED, "image_delivery": "prox"})

    assert '"proxy"' in fault.hint


def test_the_default_format_must_be_permitted() -> None:
    assert _named({**REQUIRED, "body_formats": ["rich_text"]}) == [(WRONG, "default_body_format")]


def test_all_faults_are_found_at_once() -> None:
    written = {"site_name": "", "publisher": {"name": "P", "nmae": "Q"}, "mcp": {"enabled": "yes"}, "posts": 1}

    assert _named(written) == [
        (WRONG, "site_name"),
        (FaultKind.MISSING, "default_author"),
        (FaultKind.UNKNOWN_KEY, "publisher.nmae"),
        (WRONG, "mcp.enabled"),
        (FaultKind.UNKNOWN_KEY, "posts"),
    ]


def test_the_exception_lists_every_fault() -> None:
    faults = faults_in({**REQUIRED, "site_nmae": "x", "mcp": {"max_page_size": 0}})

    text = str(improperly_configured(faults))

    assert "mcp.max_page_size" in text
    assert "site_nmae" in text
    assert "site_name?" in text


@pytest.mark.parametrize("key", ["authenticate", "before_publish", "parent_controller"])
def test_a_hook_is_not_loaded_to_look_at_its_value(key: str) -> None:
    assert _named({**REQUIRED, key: "no.such.module"}) == []


@requirement("host.settings", "pages.brand.accent")
@pytest.mark.parametrize(
    ("written", "key", "other"),
    [
        (
            {"brand": {"accent": "#123456"}, "theme_colors": {"accent": "#123456"}},
            "theme_colors.accent",
            "brand.accent",
        ),
        ({"brand": {"icon_url": "/i.svg"}, "favicon_url": "/i.svg"}, "favicon_url", "brand.icon_url"),
    ],
)
def test_a_setting_under_two_names_is_a_fault_that_names_both(written: dict[str, object], key: str, other: str) -> None:
    (fault,) = faults_in({**REQUIRED, **written})

    assert (fault.kind, fault.key) == (WRONG, key)
    assert fault.problem == f"cannot be set together with {other}"


@requirement("host.settings")
@pytest.mark.parametrize(
    ("brand", "inner"),
    [
        *[({"accent": value}, "accent") for value in ("red", "#ffff", None)],
        *[({"fonts": {"text": {"family": value}}}, "fonts.text.family") for value in ('A"', "", "x;y", "A\n")],
        *[
            ({"fonts": {"text": {"family": "A", "files": [{"path": value}]}}}, "fonts.text.files[0].path")
            for value in ("a.ttf", "../a.woff2", "/a.woff2", 'a".woff2', "a.woff2\n", "https://x.example/a.woff2")
        ],
        *[
            ({"stylesheets": [value]}, "stylesheets")
            for value in ("a.js", "/a.css", "../a.css", "https://x.example/a.css")
        ],
        ({"fonts": {"code": {"family": "A", "files": {"path": "a.woff2"}}}}, "fonts.code.files"),
        ({"navigation": [{"label": "", "url": "/"}]}, "navigation[0].label"),
        ({"navigation": [{"label": "A"}]}, "navigation[0].url"),
        ({"footer_links": [{"label": "A", "url": "/"}, "A"]}, "footer_links[1]"),
        *[({"social_links": [value]}, "social_links") for value in ("/a", None, "github.com/a")],
        ({"cards": "tiles"}, "cards"),
        *[({"share": value}, "share") for value in (["fax"], ["x", "x"], ["x", "link", "x"])],
    ],
)
def test_a_wrong_value_of_the_brand_is_named(brand: dict[str, object], inner: str) -> None:
    (fault,) = faults_in({**REQUIRED, "brand": brand})

    assert fault.key == f"brand.{inner}"


@requirement("host.settings")
@pytest.mark.parametrize(
    ("written", "problem"),
    [
        (
            {"brand": {"fonts": {"heading": {"family": "A", "files": [{"path": "a.ttf"}]}}}},
            "brand.fonts.heading.files[0].path must be a path below `STATIC_URL` that ends in `.woff2`",
        ),
        ({"brand": {"navigation": [{"url": "/"}]}}, "brand.navigation[0].label is required"),
        (
            {"brand": {"navigation": ["A"]}},
            "brand.navigation[0] must be a dictionary with keys out of `label`, `url`",
        ),
        ({"prefetch": "yes"}, "prefetch must be `True`, `False` or `None`"),
        ({"page_cache": {"enabled": "yes"}}, "page_cache.enabled must be `True`, `False` or `None`"),
    ],
)
def test_a_fault_says_what_the_value_must_be(written: dict[str, object], problem: str) -> None:
    (fault,) = faults_in({**REQUIRED, **written})

    assert f"{fault.key} {fault.problem}" == problem
