import re
from datetime import timedelta

import pytest
from pydantic import ValidationError
from pytest_django import Settings

from blog_engine.conf import BlogSettings
from blog_engine.enums import AuthorType, BodyFormat, Provenance, ShareTarget
from tests.support.hosts import REQUIRED


def test_everything_but_the_names_has_a_default(settings: Settings) -> None:
    settings.LANGUAGE_CODE = "pt-br"

    known = BlogSettings.model_validate(REQUIRED).model_dump()

    pattern = known.pop("page_view_bot_pattern")
    theme_colors = known.pop("theme_colors")
    brand = known.pop("brand")
    assert pattern.flags & re.IGNORECASE
    assert set(theme_colors.pop("light").values()) | set(theme_colors.pop("dark").values()) == {""}
    assert set(theme_colors.values()) == {""}
    assert brand == {
        "accent": "",
        "logo_url": None,
        "logo_dark_url": None,
        "logo_has_name": False,
        "icon_url": None,
        "fonts": {"heading": None, "text": None, "ui": None, "code": None},
        "stylesheets": (),
        "navigation": (),
        "footer_links": (),
        "social_links": (),
        "cards": "grid",
        "card_style": "panel",
        "sidebar": True,
        "share": tuple(ShareTarget),
        "progress": True,
    }
    assert known == {
        "site_name": "Garden Journal",
        "default_author": {"name": "Ada", "type": AuthorType.PERSON, "url": None, "logo_url": None},
        "publisher": {"name": "Garden Press", "url": None, "logo_url": None},
        "public_base_url": None,
        "locale": "pt-br",
        "blog_title": "Blog",
        "blog_tagline": None,
        "title_suffix": " — Garden Journal",
        "layout": "blog_engine/layout.html",
        "parent_controller": None,
        "route_segments": {"category": "category", "tag": "tag", "author": "author", "series": "series"},
        "posts_per_page": 12,
        "primary_list_type": "categories",
        "faq_collapsed": True,
        "call_to_action": None,
        "default_social_image_url": None,
        "social_pictures": {"enabled": True, "fonts": ()},
        "favicon_url": None,
        "touch_icon_url": None,
        "policy_urls": {"responsible_party": None, "corrections": None, "editorial": None, "ai_use": None},
        "popular_posts": {"enabled": False, "days": 30, "limit": 5},
        "page_cache": {"enabled": None, "max_stale": 0, "max_bytes": 16_777_216, "shared_seconds": 0},
        "prefetch": None,
        "look": "default",
        "rights": {"licence": None, "search": None, "ai_input": None, "ai_train": None},
        "card_art": "none",
        "color_scheme": "system",
        "feed_content": "summary",
        "feed_size": 20,
        "serve_sitemap": True,
        "public_history": "dates",
        "serve_llms_txt": True,
        "body_formats": (BodyFormat.MARKDOWN,),
        "default_body_format": BodyFormat.MARKDOWN,
        "markdown_hardbreaks": True,
        "markdown_plugins": (),
        "diagrams": {},
        "embeds": (),
        "max_body_bytes": 262_144,
        "ai_label": "when_required",
        "default_provenance": Provenance.UNKNOWN,
        "require_approval": False,
        "approvals_signed": False,
        "approvals_by": "anyone",
        "distinct_reviewer": False,
        "before_publish": None,
        "preview_expires_in": timedelta(days=7),
        "versions": {"days": 90},
        "storage": "default",
        "image_delivery": "redirect",
        "max_image_bytes": 10_485_760,
        "max_image_pixels": 50_000_000,
        "image_content_types": ("image/png", "image/jpeg", "image/webp", "image/gif", "image/avif"),
        "image_fetch_policy": "public_only",
        "page_views": True,
        "view_counting": "buffered",
        "page_view_retention_days": None,
        "sign_in_destinations": None,
        "notify": {
            "webhooks": (),
            "websub_hub": None,
            "indexnow_key": None,
            "indexnow_url": "https://api.indexnow.org/indexnow",
            "private_receivers": False,
            "kept_days": 30,
            "review_mail": False,
        },
        "authenticate": None,
        "oauth_authorization_server": None,
        "api_rate_limit": "120/m",
        "api_allowed_origins": (),
        "search_rate_limit": "30/m",
        "trusted_proxies": 0,
        "mcp": {"enabled": True, "max_page_size": 50, "answer": "full"},
        "oauth": False,
        "oauth_registration": True,
    }


def test_settings_of_the_host_are_distinguished_from_defaults() -> None:
    known = BlogSettings.model_validate({**REQUIRED, "primary_list_type": "categories"})

    assert known.model_fields_set == {"site_name", "default_author", "publisher", "primary_list_type"}


@pytest.mark.parametrize(
    ("key", "written", "kept"),
    [
        ("public_base_url", "https://example.com/", "https://example.com"),
        ("public_base_url", "HTTP://Example.com:8000", "http://example.com:8000"),
        ("public_base_url", "http://[::1]:8000", "http://[::1]:8000"),
        ("public_base_url", "http://blog_web:8000", "http://blog_web:8000"),
        ("title_suffix", "", ""),
        ("locale", "pt_BR", "pt_BR"),
        ("preview_expires_in", 90, timedelta(seconds=90)),
        ("preview_expires_in", timedelta(hours=2), timedelta(hours=2)),
        ("preview_expires_in", 36_500 * 86_400, timedelta(days=36_500)),
        ("page_view_bot_pattern", "spider|ant", re.compile("spider|ant")),
        ("page_view_bot_pattern", re.compile("ant", re.IGNORECASE), re.compile("ant", re.IGNORECASE)),
        ("sign_in_destinations", [], ()),
        ("sign_in_destinations", ["/login", "/"], ("/login", "/")),
        ("sign_in_destinations", ("/accounts/login/",), ("/accounts/login/",)),
        ("oauth_authorization_server", "https://login.example", ("https://login.example",)),
        ("oauth_authorization_server", ["https://a.example/x", "http://b"], ("https://a.example/x", "http://b")),
        ("oauth_authorization_server", None, None),
        ("body_formats", ["rich_text", "markdown"], (BodyFormat.RICH_TEXT, BodyFormat.MARKDOWN)),
        ("image_content_types", ["image/png"], ("image/png",)),
        ("api_rate_limit", "10/5m", "10/5m"),
        ("search_rate_limit", "1/d", "1/d"),
        ("default_provenance", "ai_assisted", Provenance.AI_ASSISTED),
        ("default_social_image_url", "/static/card.png", "/static/card.png"),
    ],
)
def test_a_good_value_is_kept_in_one_form(key: str, written: object, kept: object) -> None:
    known = BlogSettings.model_validate({**REQUIRED, key: written})

    assert getattr(known, key) == kept


def test_another_default_format_needs_to_be_permitted() -> None:
    known = BlogSettings.model_validate({**REQUIRED, "body_formats": ["rich_text"], "default_body_format": "rich_text"})

    assert known.default_body_format is BodyFormat.RICH_TEXT


@pytest.mark.parametrize(
    "agent",
    [
        *("Googlebot/2.1", "A Crawler", "Baiduspider", "Yahoo! Slurp", "link PREVIEW", "uptime monitor", "curl/8"),
        *("Wget/1.2", "HeadlessChrome", "facebookexternalhit/1.1", "WhatsApp/2", "ChatGPT-User/1.0"),
        *("Claude-User/1.0", "Perplexity-User/1.0", "anthropic-ai", "cohere-ai", "Google-InspectionTool/1.0"),
    ],
)
def test_the_default_pattern_finds_automatic_readers(agent: str) -> None:
    pattern = BlogSettings.model_validate(REQUIRED).page_view_bot_pattern

    assert pattern.search(agent)


def test_the_default_pattern_leaves_browsers_alone() -> None:
    pattern = BlogSettings.model_validate(REQUIRED).page_view_bot_pattern

    assert not pattern.search("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")


def test_settings_do_not_change_after_they_were_read() -> None:
    written = {**REQUIRED, "mcp": {"enabled": False}, "sign_in_destinations": ["/login"]}
    known = BlogSettings.model_validate(written)

    with pytest.raises(ValidationError):
        known.mcp.enabled = True  # type: ignore[misc]
    written["mcp"]["enabled"] = True  # type: ignore[index]
    written["sign_in_destinations"].append("/other")  # type: ignore[attr-defined]

    assert known.mcp.enabled is False
    assert known.sign_in_destinations == ("/login",)
    assert BlogSettings.model_validate(REQUIRED).mcp.enabled is True
