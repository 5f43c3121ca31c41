"""What a host's own code may call (decisions.md 1)."""

import pytest
from django.test import override_settings
from django.utils.safestring import SafeString

from blog_engine.models import PolicyPage
from blog_engine.public import policy_url, render_markdown
from tests.reader.changes import blog_settings
from tests.requirements import requirement


@requirement("reader:policy-urls")
@override_settings(BLOG_ENGINE=blog_settings(policy_urls={"corrections": "https://example.org/c", "editorial": " "}))
@pytest.mark.parametrize(
    ("kind", "url"),
    [
        ("corrections", "https://example.org/c"),
        ("responsible_party", "/blog/policies/us"),
        ("ai_use", None),
        ("editorial", None),
        ("imprint", None),
        ("", None),
    ],
)
def test_a_policy_is_configured_or_published(db: None, kind: str, url: str | None) -> None:
    PolicyPage.objects.create(kind="responsible_party", slug="us", title="Us", body="We.", status="published")
    PolicyPage.objects.create(kind="ai_use", slug="ai", title="AI", body="Yes.", status="draft")

    assert policy_url(kind) == url


@requirement("host:render-markdown")
def test_markdown_becomes_safe_html(db: None) -> None:
    shown = render_markdown("# Hello\n\n*there* <script>alert(1)</script>")

    assert isinstance(shown, SafeString)
    assert '<h2 id="hello">' in shown
    assert "<em>there</em>" in shown
    assert "<script" not in shown
