"""What no page of the desk shows a person: times, numbers and names as programs write them."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from lxml import html

from blog_engine.models import Post
from tests.admin.desk import desk
from tests.admin.test_every_page import EVERYTHING, ROUTES, post
from tests.requirements import requirement
from tests.support.factories import publish, save

pytestmark = pytest.mark.django_db

__all__ = ["post"]

FORBIDDEN = {
    "a time of programs": re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d"),
    "more than twelve digits of an identifier": re.compile(r"\b[0-9a-f]{13,}\b"),
    "a number of bytes": re.compile(r"\b\d[\d.,]*\s?bytes\b|\bthe bytes\b", re.IGNORECASE),
    "a word of the API": re.compile(
        r"\bslugs?\b|\bexternal_id\b|\brevision_identifier\b|\bexpected_\w+|\bfacts_checked\b|\bmade_by_ai\b"
        r"|\bprovenance\b|\bai_assisted\b|\bhuman_written\b|\bbody_format\b|\bsend (?:that|the|an?other) \w+ of\b"
        r"|\b[a-z]+_[a-z]+_[a-z]+\b|\bpublish_at\b|\bnew_path\b|\bold_path\b|\bimage_id\b",
        re.IGNORECASE,
    ),
    "a planned time without its zone": re.compile(
        r"(?:Planned for|going to be published on|Readers see this post from) [A-Z][a-z.]+ \d+, \d{4}, \d\d:\d\d(?! \()"
    ),
}
CHECKS = {"blog_engine_post_doctor", "blog_engine_post_report"}
"""Pages for the person who runs the site, who sets names of settings."""


def visible_text(content: bytes) -> str:
    """Return what a person sees or hears of a page: text, labels and values, without what belongs to a post."""
    page = html.fromstring(content)
    for gone in page.xpath("//script | //style | //template | //noscript | //iframe | //svg | //head"):
        gone.drop_tree()
    return " ".join(_pieces(page).__iter__())


def _pieces(page: Any) -> Iterator[str]:
    for text in page.itertext():
        yield " ".join(text.split())
    for element in page.iter():
        if isinstance(element.tag, str):
            yield from (element.get(name, "") for name in ("title", "aria-label", "placeholder", "alt"))
            # What is there to be copied is not read.
            is_read = element.get("readonly") is None and element.get("type") in {"text", "submit", "button", None}
            if element.tag == "input" and is_read:
                yield element.get("value", "")


def faults(text: str) -> list[str]:
    return [f"{name}: {found[0]}" for name, pattern in FORBIDDEN.items() if (found := pattern.search(text))]


@requirement("desk.words")
def test_no_page_shows_what_only_programs_read(post: Post, subtests: pytest.Subtests) -> None:
    scheduled = publish(save(title="Soon").post, publish_at="2030-01-05T08:00:00Z").post
    client = desk(*EVERYTHING)

    for route in ROUTES:
        if route.name in CHECKS:
            continue
        for one in (post, scheduled):
            with subtests.test(route.name):
                answer = client.get(route.url(post if route.arguments[:1] != ("post_id",) else one), follow=True)
                if not answer["Content-Type"].startswith("text/html") or answer.status_code != 200 or answer.streaming:
                    continue
                assert faults(visible_text(answer.content)) == []


@pytest.mark.parametrize(
    ("page", "fault"),
    [
        ("<p>Stated on 2026-11-27T17:45:00Z</p>", "a time of programs: 2026-11-27T17:45"),
        (f"<code>{'a1' * 32}</code>", f"more than twelve digits of an identifier: {'a1' * 32}"),
        ("<p>at most 10485760 bytes</p>", "a number of bytes: 10485760 bytes"),
        ("<label title='Slug'>x</label>", "a word of the API: Slug"),
        ("<input value='revision_identifier'>", "a word of the API: revision_identifier"),
        ("<p>Planned for Jan. 5, 2027, 08:00</p>", "a planned time without its zone: Planned for Jan. 5, 2027, 08:00"),
    ],
)
def test_the_search_finds_them(page: str, fault: str) -> None:
    assert faults(visible_text(f"<html><body><main>{page}</main></body></html>".encode())) == [fault]
