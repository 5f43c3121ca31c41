"""Every kind of page is valid HTML for the Nu checker of the W3C."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import override_settings

from tests.content.bodies import HTML, MARKDOWN
from tests.requirements import requirement
from tests.support.blogs import CALL, STATUSES, make_blog
from tests.support.factories import save, update
from tests.support.hosts import blog_settings
from tests.support.pages import Visitor, check_pages, text_of

LOOKS: dict[str, dict[str, Any]] = {
    "as installed": {},
    "open faq, dark": {"faq_collapsed": False, "color_scheme": "dark"},
    "german": {"locale": "de"},
    "arabic": {"locale": "ar"},
}
JUDGED = re.compile(r", arabic: warning: .*“aria-label”.*not in Unicode Normalization Form C")
"""Django's own Arabic word for breadcrumbs."""
COMMON = {"public_history": "full", "call_to_action": CALL, "posts_per_page": 5, "blog_tagline": "Tides & <walls>"}


@pytest.mark.markup
@pytest.mark.usefixtures("storage")
@requirement("pages.valid")
def test_every_kind_of_page_is_valid(visitor: Visitor, tmp_path: Path) -> None:
    pages = {"empty": read(visitor, "/")}
    paths = make_blog()
    for look, settings in LOOKS.items():
        with override_settings(BLOG_ENGINE=blog_settings(**COMMON, **settings)):
            pages |= {
                f"{name}, {look}": read(visitor, path, status=STATUSES.get(name, 200)) for name, path in paths.items()
            }
    pages |= {name: read(visitor, path) for name, path in make_hostile()}
    with override_settings(BLOG_ENGINE=blog_settings(search_rate_limit="1/m")):
        visitor.get("/search?q=tides")
        pages["too many searches"] = read(visitor, "/search?q=tides", status=429)

    said = check_pages(pages, folder=tmp_path / "pages")
    assert [message for message in said if not JUDGED.search(message)] == []


def read(visitor: Visitor, path: str, *, status: int = 200) -> str:
    response = visitor.get(path)
    assert (path, response.status_code) == (path, status)
    return text_of(response)


def make_hostile() -> Iterator[tuple[str, str]]:
    """Publish articles with hostile texts and return their names and paths."""
    for number, payload in enumerate([*HTML[-12:], *MARKDOWN[-12:]]):
        text = payload.replace("\x00", "")
        short = text[:200]
        post = save(
            slug=f"hostile-{number}",
            title=f"Title {short}",
            description=short,
            search_description=short,
            body=text,
            category=f"Category {number} {short}",
            tags=[f"Tag {number} {short}"],
            faq=[{"question": f"Q {short}", "answer": f"A {short}"}],
            publish=True,
        ).post
        update(post, change="correction", title=f"Titled {short}", note=short)
        yield f"hostile {number}", f"/{post.slug}"
