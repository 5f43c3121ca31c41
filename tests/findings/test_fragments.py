"""The finding ``link_fragment_missing``."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from blog_engine.findings import findings_of, findings_of_posts
from blog_engine.models import Post
from blog_engine.queries.checked import posts_to_check
from blog_engine.queries.posts import read_post
from blog_engine.services.outcome import Written
from tests.requirements import requirement
from tests.support.factories import NOW, save, unpublish, update

pytestmark = pytest.mark.django_db

HEADINGS = "## Roots\n\n## Größe der Beete\n\n## 你好\n\n## FAQ & more\n\nText[^1]\n\n[^1]: Note.\n\n"
THERE = [
    *("#roots", "#größe-der-beete", "#gr%C3%B6%C3%9Fe-der-beete", "#grosse-der-beete", "#你好", "#nihao"),
    *("#", "#top", "#TOP", "#faq", "#blog-main", "#fn-1-1", "#correction-1", "#:~:text=Roots", "#roots:~:text=Text"),
]
MISSING = ["#nope", "#Roots", "#%E4%BD%A0", "#roots%20", "#nope:~:text=Text", "#%FF"]


@pytest.fixture
def soil() -> Post:
    """Return a public post with headings."""
    return save(slug="soil", body=HEADINGS, publish=True).post


def found(written: Written) -> list[str | None]:
    """Return the links that a write names in its findings, which later readings name too."""
    ids = [written.post.pk]
    read = findings_of(read_post(ids[0]), has_responsible_party=True, now=NOW)
    together = findings_of_posts(posts_to_check(ids), has_responsible_party=True, now=NOW)
    told = [
        [finding.location for finding in findings if finding.code == "link_fragment_missing"]
        for findings in (written.findings, read, together[ids[0]])
    ]
    assert told[0] == told[1] == told[2]
    return told[0]


def as_markdown(*hrefs: str) -> str:
    return " ".join(f"[x](<{href}>)" for href in hrefs)


@requirement("findings.fragments")
def test_headings_of_the_post_itself_are_there() -> None:
    assert found(save(slug="here", body=HEADINGS + as_markdown(*THERE))) == []


@requirement("findings.fragments")
@pytest.mark.usefixtures("soil")
@pytest.mark.parametrize("page", ["", "/blog/soil", "soil", "https://example.com/blog/soil", "/blog/soil.html"])
def test_headings_that_a_page_lacks_are_found(page: str) -> None:
    links = [f"{page}{fragment}" for fragment in [*THERE, *MISSING]]

    written = save(slug="here", body=HEADINGS + as_markdown(*links))

    located = [location for location in found(written) if location]
    assert len(located) == len(MISSING)
    assert located[0] == f"{page}#nope"
    assert all(location.startswith(f"{page}#") for location in located)


@requirement("findings.fragments")
@pytest.mark.usefixtures("soil")
def test_other_pages_have_no_headings_to_look_for() -> None:
    unpublish(save(slug="withdrawn", publish=True).post)
    save(slug="draft")
    update(save(slug="before", publish=True).post, slug="after")
    links = ["/blog/soil.md#x", "/blog/soil?format=md#x", "/blog/#x", "/blog/search#x", "/blog/archive#x", "/about#x"]
    links += ["/blog/withdrawn#x", "/blog/draft#x", "/blog/nothing#x", "/blog/before#x", "https://other.example/#x"]

    assert found(save(slug="here", body=as_markdown(*links))) == []


@requirement("findings.fragments")
def test_a_write_tells_of_the_headings_that_it_took_away() -> None:
    post = save(slug="here", body="## Roots\n\n[x](#roots)").post

    assert found(update(post, body="## Leaves\n\n[x](#roots) [y](#leaves)")) == ["#roots"]
    assert found(update(post, body="## Roots\n\n[x](#roots)")) == []


@requirement("findings.fragments", "findings.queries")
@pytest.mark.usefixtures("soil")
def test_fragments_take_no_query_of_their_own() -> None:
    numbers = []
    for links in (["/blog/soil"], ["/blog/soil", *(f"/blog/soil#{number}" for number in range(20)), "#x"]):
        post = save(slug="here", body=as_markdown(*links)).post
        with CaptureQueriesContext(connection) as queries:
            findings_of(read_post(post.pk), has_responsible_party=True, now=NOW)
        numbers.append(len(queries))

    assert numbers[0] == numbers[1]


@requirement("findings.fragments")
def test_the_headings_of_very_many_posts_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("blog_engine.queries.fragments._MOST_POSTS", 2)
    for number in range(3):
        save(slug=f"bed-{number}", publish=True)
    links = [f"/blog/bed-{number}#x" for number in range(3)]

    assert found(save(slug="here", body=as_markdown(*links))) == links[:2]
