import pytest

from blog_engine.conf.groups import PolicyUrls, RouteSegments
from blog_engine.enums import PolicyKind


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("https://example.com/who", "https://example.com/who"),
        ("/about/", "/about/"),
        ("", None),
        (" ", None),
        (None, None),
    ],
)
def test_a_blank_policy_url_is_none(written: str | None, url: str | None) -> None:
    urls = PolicyUrls(responsible_party=written)

    assert urls.of(PolicyKind.RESPONSIBLE_PARTY) == url


def test_each_policy_kind_has_a_url_of_its_own() -> None:
    urls = PolicyUrls(responsible_party="/a", corrections="/b", editorial="/c", ai_use="/d")

    assert [urls.of(kind) for kind in PolicyKind] == ["/a", "/b", "/c", "/d"]


def test_the_segments_are_known_together() -> None:
    segments = RouteSegments(tag="topics")

    assert segments.values() == {"category", "topics", "author", "series"}
