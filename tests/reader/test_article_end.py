"""What follows the text of an article: how to share it, its author, and other posts."""

from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from django.test import override_settings
from hypothesis import given, settings
from hypothesis import strategies as st

from blog_engine.enums import ShareTarget
from blog_engine.models import Author
from blog_engine.reader.links import profile_links, share_of
from tests.requirements import requirement
from tests.support.blogs import CALL
from tests.support.factories import save, store_image
from tests.support.hosts import blog_settings
from tests.support.images import plain
from tests.support.pages import Element, Visitor

URL = "https%3A%2F%2Fexample.com%2Fblog%2Fsoil-stone"
TITLE = "Soil%20%26%20stone"
SHARED = [
    ("Share by email", f"mailto:?subject={TITLE}&body={URL}"),
    ("Share on Mastodon", f"https://share.joinmastodon.org/#text={TITLE}%20{URL}"),
    ("Share on Bluesky", f"https://bsky.app/intent/compose?text={TITLE}%20{URL}"),
    ("Share on LinkedIn", f"https://www.linkedin.com/sharing/share-offsite/?url={URL}"),
    ("Share on X", f"https://x.com/intent/post?text={TITLE}&url={URL}"),
]


def share_rows(visitor: Visitor, **brand: Any) -> list[Element]:
    save(title="Soil & stone", canonical_url="https://first.example/soil", publish=True)
    with override_settings(BLOG_ENGINE=blog_settings(brand=brand)):
        return visitor.page("/soil-stone").all(class_="blog-share")


@requirement("pages.share")
def test_the_end_of_an_article_has_links_with_its_public_url(visitor: Visitor) -> None:
    rows = share_rows(visitor)

    assert len(rows) == 1
    for row in rows:
        assert [(link.text, link.attrs["href"]) for link in row.all("a")] == SHARED
        assert all("hidden" in button.attrs for button in row.all("button"))
        assert row.one("button", data_blog_copy_link="https://example.com/blog/soil-stone")
        assert not [element for element in row.walk() if "id" in element.attrs]
    # The dialog of the device is at the end of the row, where its appearance moves no other link.
    assert [button.text for button in rows[0].all("button")] == ["Copy link", "Share"]


@requirement("pages.share.targets")
@pytest.mark.parametrize(
    ("targets", "names"),
    [
        (["x", "email"], [["Share on X", "Share by email", "Share"]]),
        (["link"], [["Copy link", "Share"]]),
        ([], []),
    ],
)
def test_the_host_chooses_where_articles_are_shared(
    visitor: Visitor, targets: list[str], names: list[list[str]]
) -> None:
    rows = share_rows(visitor, share=targets)

    shown = [[one.text for one in row.walk() if one.name in {"a", "button"}] for row in rows]
    assert shown == names


_LINE = st.text(st.characters(blacklist_categories=["Cs", "Cc"]), min_size=1, max_size=60)


@requirement("pages.share")
@settings(deadline=None, max_examples=30)
@given(title=_LINE, path=_LINE)
def test_every_title_arrives_as_it_is(title: str, path: str) -> None:
    url = f"https://example.com/{path}"

    share = share_of(title, url=url, targets=ShareTarget)

    assert share is not None
    links = {link.target: urlsplit(link.url) for link in share.links}
    elsewhere = {target: parts for target, parts in links.items() if target != ShareTarget.LINK and parts.query}
    sent = {target: parse_qs(parts.query, strict_parsing=True) for target, parts in elsewhere.items()}
    assert sent[ShareTarget.X] == {"text": [title], "url": [url]}
    assert sent[ShareTarget.BLUESKY] == {"text": [f"{title} {url}"]}
    assert sent[ShareTarget.EMAIL] == {"subject": [title], "body": [url]}
    assert unquote(links[ShareTarget.MASTODON].fragment.removeprefix("text=")) == f"{title} {url}"
    assert not [link for link in share.links if link.target != ShareTarget.LINK and "+" in link.url]


@requirement("pages.progress.optional")
@pytest.mark.parametrize("progress", [True, False])
def test_the_host_decides_on_the_progress_bar(visitor: Visitor, progress: bool) -> None:
    save(title="Soil", publish=True)

    with override_settings(BLOG_ENGINE=blog_settings(brand={"progress": progress})):
        assert visitor.page("/soil").has("div", data_blog_progress="") is progress


@requirement("pages.article.author")
def test_the_author_box_shows_the_bio_as_text_and_the_safe_profiles(visitor: Visitor) -> None:
    save(title="Soil", publish=True)
    profiles = ["https://www.example.org/@ada/", "javascript:alert(1)", "http://ada.example/", "https://a@b.example/"]
    Author.objects.update(bio="Knows <soil>.", profile_urls=profiles)

    box = visitor.page("/soil").one(class_="blog-author")

    links = box.one("span", class_="blog-author__profiles").all("a")
    assert box.one("a", class_="blog-author__name").text == "Ada Example"
    assert box.one("span", class_="blog-author__bio").text == "Knows <soil>."
    assert [(link.text, link.attrs["href"]) for link in links] == [
        ("example.org/@ada", "https://www.example.org/@ada/"),
        ("ada.example", "http://ada.example/"),
    ]
    assert {link.attrs["rel"] for link in links} == {"me noopener"}


@requirement("pages.article.author")
def test_an_author_of_whom_only_the_name_is_known_has_no_box(visitor: Visitor) -> None:
    save(title="Soil", publish=True)

    assert not visitor.page("/soil").has(class_="blog-author")

    Author.objects.update(bio="Knows soil.")
    assert not visitor.page("/soil").one(class_="blog-author").has(class_="blog-author__profiles")


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://mastodon.social/@rosa", "mastodon.social/@rosa"),
        ("https://www.example.org/people/rosa/?tab=about#now", "example.org/people/rosa"),
        ("http://example.org:8080", "example.org:8080"),
        ("/about/rosa", "/about/rosa"),
        ("/", "/"),
    ],
)
def test_a_profile_has_a_short_name(url: str, name: str) -> None:
    assert [link.name for link in profile_links([url])] == [name]


@requirement("pages.article.related")
def test_related_posts_are_cards(visitor: Visitor) -> None:
    save(title="Elsewhere", category="Sea", publish=True)
    for number in range(4):
        save(title=f"Garden {number}", category="Garden", publish=True)
    save(title="Garden draft", category="Garden")

    related = visitor.page("/garden-3").one("footer", class_="blog-related")

    assert [title.text for title in related.all(class_="blog-card__title")] == ["Garden 2", "Garden 1", "Garden 0"]


@requirement("pages.article.neighbours")
def test_the_posts_before_and_after_are_linked(visitor: Visitor) -> None:
    for title in ("One", "Two", "Three"):
        save(title=title, publish=True)

    links = visitor.page("/two").one("nav", class_="blog-turn").all("a")

    assert [(link.text, link.attrs["href"], link.attrs["rel"]) for link in links] == [
        ("Previous post: One", "/blog/one", "prev"),
        ("Next post: Three", "/blog/three", "next"),
    ]
    assert [link.text for link in visitor.page("/three").one("nav", class_="blog-turn").all("a")] == [
        "Previous post: Two"
    ]


@requirement("pages.article.neighbours")
def test_a_part_links_to_those_beside_it(visitor: Visitor) -> None:
    for place, title in [(3, "Three"), (1, "One"), (2, "Zwei")]:
        language = {"language": "de"} if title == "Zwei" else {}
        save(title=title, series="Count", series_position=place, publish=True, **language)

    links = visitor.page("/one").one("nav", class_="blog-turn").all("a")

    assert [(link.text, link.one("bdi").attrs.get("lang")) for link in links] == [("Next post: Zwei", "de")]


def test_an_only_post_has_no_others_around_it(visitor: Visitor) -> None:
    save(title="Soil", publish=True)

    page = visitor.page("/soil")

    assert not page.has("nav", class_="blog-turn")
    assert not page.has(class_="blog-related")


_SCORED = {"article", "div", "h3", "h4", "h5", "h6", "p", "pre", "section", "td"}
"""Elements that reader modes take for parts of an article, if they have some text; of a heading, 25 letters."""


@requirement("pages.reader-modes")
@override_settings(BLOG_ENGINE=blog_settings(call_to_action=CALL))
def test_nothing_after_an_article_counts_as_a_part_of_it(visitor: Visitor) -> None:
    image = store_image(plain(size=(640, 480)))
    for number in range(4):
        fields = {"series": "A year in the garden, week by week", "tags": ["leeks"]} if number > 1 else {}
        save(title=f"Garden {number}", cover_image={"image_id": image.pk}, category="Garden", publish=True, **fields)
    Author.objects.update(bio="Knows soil, and says so.", profile_urls=["https://example.org/ada"])

    page = visitor.page("/garden-3")

    after, related = page.one("footer", class_="blog-after"), page.one("footer", class_="blog-related")
    shown = {"blog-author", "blog-call", "blog-filed", "blog-series", "blog-tags", "blog-turn"}
    assert {name for one in after.walk() for name in one.classes} >= shown
    assert [one for part in (after, related) for one in part.walk() if one.name in _SCORED and one.text.strip()] == []
    assert len(related.one("h2").text) < 25
    # Readers drop a block that has pictures and hardly a text.
    assert page.one("", data_blog_body="").name not in {"div", "form", "table", "ul"}
