"""E19: the page of an article is the revision that was approved, wherever and however it is shown."""

import json
from typing import Any

import pytest
from django.test import override_settings
from django.utils import timezone

from blog_engine.enums import PostStatus, ReportResult
from blog_engine.management.sample import make_samples
from blog_engine.models import Image, Post
from blog_engine.surface_report.content import judge_content, written_part
from blog_engine.surface_report.html import HtmlPage
from blog_engine.surface_report.observation import Observation
from tests.requirements import requirement
from tests.support.blogs import FAQ, TITLE, make_blog, text_with
from tests.support.costs import takes_at_most
from tests.support.factories import IMPORTED, LATER, WHOLE, approve, store_image, update
from tests.support.hosts import PLACES, at, blog_settings
from tests.support.images import encoded, halves
from tests.support.tables import execute
from tests.surface_report.conftest import (
    PARTS,
    SOUND,
    adopt,
    approved,
    look_at_page,
    look_at_status,
    looked,
    original,
    parts,
    picture,
    save,
    wrong,
)
from tests.surface_report.test_report import GARBAGE

pytestmark = pytest.mark.django_db

RICH = (
    '<h3>One</h3><p>With <em>words</em><br>and <a href="stone?a=1&amp;b=2">a link</a>.</p><ol start="3"><li>x</ol>'
    '<pre>  code\r\n\r\n</pre><table><tr><td>a<td>b</table><ul><li><input type="checkbox" disabled checked> done</ul>'
    '<script>alert("x")</script><p hidden>shown</p><figure><img src="{image}" alt="A  quay"><figcaption>Quay</figure>'
)
ODD = {
    "line ends of Windows": "One\r\n\r\n```\r\nif x:\r\n    y\r\n```\r\n\r\nTwo  \r\nthree\r\n\r\n",
    "letters in two parts": "Cafe\u0301 [cafe\u0301](/e\u0301?q=e\u0301) ![e\u0301](e\u0301.png)\n\n## Cafe\u0301\n",
    "code that never ends": "```py\n x = 1\n   \n\n\n",
    "spaces that stay": "a\u00a0b\u2028c\u200bd &nbsp; e",
    "characters of no document": "a\x0bb\x0cc\ufdd0d",
    "words from right to left": "שלום [עולם](/עולם) 10^2^ ~~לא~~",
    "URLs in half an encoding": "[a](/%E9) [b](/%C3%A9) [c](http://[) <https://x.example/é.>",
    "formulas, boxes and terms": "## $x_1$\n\n$$\n\\frac{a}{b}\n$$\n\n$\\bad$ ==m== <kbd>K</kbd>\n\n"
    "<details>\n<summary>S</summary>\n\nIn.\n\n</details>\n\nTerm\n: Said\n",
    "nothing": "",
}


def whole(image: Image, small: Image) -> dict[str, Any]:
    """An article with everything that a revision records, whose body shows two images at the mount in force."""
    text = text_with(image, small).replace(f"/blog/media/{image.sha256}/quay.png", original(image))
    return {
        "title": f"{TITLE} & <more>",
        "description": "Two gauges, and what 52,560 readings say.\r\nSo much.",
        "search_title": "The wall",
        "search_description": 'What "it" knows.',
        "body": text.replace(f"/blog/media/{small.sha256}/small.png", original(small)),
        "faq": FAQ,
        "cover_image": {"image_id": image.pk},
        "cover_alt": 'A "wall"',
        "social_image": {"image_id": small.pk},
    }


def make_whole(**fields: Any) -> Post:
    return approved(**whole(picture(), picture("small.png", left="lime")) | fields)


@requirement("surface-report.e19")
def test_every_page_of_a_blog_with_everything_is_what_was_recorded() -> None:
    make_blog()
    make_samples(now=timezone.now())
    published = Post.objects.filter(status=PostStatus.PUBLISHED.value).exclude(provenance="human_written")

    for post in published:
        approve(post)
        assert parts(looked(post)) == SOUND, post.slug


@requirement("surface-report.e19")
@pytest.mark.parametrize("place", PLACES)
def test_it_is_wherever_the_blog_is_mounted(place: str) -> None:
    with at(place):
        assert parts(looked(make_whole())) == SOUND


@pytest.mark.parametrize("locale", ["de", "ar", "ja"])
def test_it_is_in_every_language(locale: str) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(locale=locale)):
        assert parts(looked(make_whole(), locale=locale)) == SOUND


@pytest.mark.parametrize(
    "chosen",
    [
        {"faq_collapsed": False},
        {"markdown_hardbreaks": False},
        {"title_suffix": ""},
        {"ai_label": "always"},
        {"public_base_url": "https://example.com", "call_to_action": {"title": "Write", "url": "/l", "label": "Go"}},
    ],
)
def test_it_is_whatever_the_site_adds(chosen: dict[str, Any]) -> None:
    declared = {"connections": [{"party": "Quay Ltd", "relation": "customer"}], "third_party_paid": True}
    post = make_whole(connections=declared | {"declared_by": "Ines"}, category="Garden", series="Ground", tags=["a"])

    assert parts(looked(post, **chosen)) == SOUND


@requirement("surface-report.e19.links")
def test_a_cover_may_link_to_its_own_file_and_to_no_other() -> None:
    cover = store_image(encoded(halves(size=(800, 400)), "PNG"), filename="cover.png")
    linked = f"![The quay]({original(cover)})"
    post = approved(body=f"It leaves at ten.\n\n{linked}", cover_image={"image_id": cover.pk}, cover_alt="A wall")
    link = f'<a class="blog-zoom" href="{original(cover)}" aria-label="Image in full size: A wall">'

    assert parts(looked(post)) == SOUND
    # A host's template without the link: without its start, the end tag means nothing.
    assert parts(looked(post, (link, ""))) == SOUND
    assert parts(looked(post, (link, link.replace(original(cover), "/shop")))) == SOUND | {"C": "fail"}


def test_it_is_after_a_correction() -> None:
    post = make_whole()
    update(post, title="Soil, again", change="correction", note="It was\nclay.")
    approve(Post.objects.get(pk=post.pk))

    assert parts(looked(post)) == SOUND


@pytest.mark.parametrize("provenance", ["ai_assisted", "unknown"])
def test_it_is_for_an_adopted_article(provenance: str) -> None:
    image = picture()
    fields: dict[str, Any] = {
        "body": f"It leaves at ten.\n\n![Quay]({original(image)})",
        "cover_image": {"image_id": image.pk},
    }

    post = adopt(WHOLE, provenance=provenance, imported_approval=IMPORTED, **fields).post

    assert parts(looked(post)) == SOUND


def test_it_is_for_rich_text() -> None:
    settings = {"body_formats": ["markdown", "rich_text"]}
    with override_settings(BLOG_ENGINE=blog_settings(**settings)):
        post = approved(body=RICH.replace("{image}", original(picture())), body_format="rich_text")

    assert parts(looked(post, **settings)) == SOUND


@pytest.mark.parametrize("body", ODD)
def test_it_is_for_odd_texts(body: str) -> None:
    text = " Cafe\u0301\u00a0\x0b&lt; "
    faq = [{"question": f"{text}?", "answer": f"{text}\r\n\r\n  https://x.example/e\u0301. \x0b"}]

    post = approved(title=text, description=text, search_description=f"{text}\r\n{text}", body=ODD[body], faq=faq)

    assert set(wrong(looked(post))) <= {"E"}


@requirement("surface-report.e19")
def test_a_rendering_of_an_older_version_is_made_again() -> None:
    post = make_whole()
    execute("UPDATE blog_engine_post SET body_html = '<p>Old.</p>', rendered_with = 'older'")

    assert parts(looked(post)) == SOUND


@requirement("surface-report.e19.applies")
def test_what_people_wrote_needs_no_proof() -> None:
    post = approved(provenance="human_written")
    execute("UPDATE blog_engine_post SET title = 'Other'")

    assert looked(post).result == "not applicable"


@requirement("surface-report.e19.applies")
def test_an_article_of_unknown_origin_without_review_is_not_verified() -> None:
    post = save(provenance="unknown", publish=True).post

    found = looked(post)

    assert (found.result, parts(found)) == (ReportResult.NOT_VERIFIED, SOUND | {"A": "not verified"})


@requirement("surface-report.e19.applies")
def test_it_fails_when_its_page_is_another_text() -> None:
    post = save(provenance="unknown", body="Calm sea.", publish=True).post

    found = looked(post, ("Calm sea.", "Rough sea."))

    assert (found.result, wrong(found)) == (ReportResult.FAIL, "ABF")


@requirement("surface-report.closed")
@pytest.mark.parametrize(("status", "result"), [(None, "not verified"), (404, "fail"), (500, "fail")])
def test_a_page_that_is_not_open_shows_nothing(status: int | None, result: str) -> None:
    found = look_at_status(judge_content, approved(), status)

    said = "could not be fetched" if status is None else f"answered {status}"
    details = dict.fromkeys(PARTS, result) | {"A": "pass"}
    assert found == Observation(ReportResult(result), f"The article page {said}.", details=details)


@requirement("surface-report.e19.region")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (" data-blog-content", ""),
        (" data-blog-content", " data-blog-content hidden"),
        ('<div class="blog blog-post"', '<div aria-hidden="true"'),
        ("</article>", "</article><article data-blog-content>Soil</article>"),
    ],
)
def test_a_page_without_one_visible_content_region_fails(old: str, new: str) -> None:
    found = looked(approved(cover_image={"image_id": picture().pk}), (old, new))

    assert (found.result, wrong(found)) == (ReportResult.FAIL, "BCD")


@requirement("surface-report.malformed-pages")
@pytest.mark.parametrize("garbage", GARBAGE)
@pytest.mark.parametrize("around", ["{}", "<article data-blog-content><div data-blog-faq>{}"])
def test_no_page_is_too_broken(garbage: str, around: str) -> None:
    post = make_whole()

    found = look_at_page(judge_content, post, around.replace("{}", GARBAGE[garbage]))

    assert found.result == "fail"
    assert json.dumps([found.reason, found.details], ensure_ascii=False).encode()


NESTED = {
    "links": "<a href=x>x" * 5_000,
    "lists": "<li>x" * 5_000,
    "images": "<picture>" + "<source srcset=a><img src=b>" * 1_000,
    "sections of an FAQ": "<div data-blog-faq>" * 5_000,
    "entries of an FAQ": "<div data-blog-faq><div data-blog-faq-entry>x" * 5_000,
    "choices": f"<img srcset='{'a ' * 100_000}'><img srcset='{',' * 100_000}'>",
}


_QUICK = {"lists", "entries of an FAQ"}


@requirement("surface-report.malformed-pages")
@pytest.mark.parametrize(
    "nested", [name if name in _QUICK else pytest.param(name, marks=pytest.mark.heavy) for name in NESTED]
)
def test_a_page_of_nothing_but_nesting_is_read_at_once(nested: str) -> None:
    post = approved(faq=FAQ)

    # Where each element is looked at from all others around it, this takes minutes.
    with takes_at_most(10):
        found = look_at_page(judge_content, post, f"<article data-blog-content>{NESTED[nested]}")

    assert found.result == ReportResult.FAIL


def test_a_later_article_is_compared_with_its_public_revision() -> None:
    post = approved(body="Calm sea.")
    update(post, body="Rough sea.", change="substantive", now=LATER)
    approve(Post.objects.get(pk=post.pk))

    assert (wrong(looked(post)), wrong(looked(post, ("Rough sea.", "Calm sea.")))) == ("", "BF")


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<h1>a</h1><p data-blog-generated>b</p><p>c</p>", "a c"),
        ("<h1>a</h1><p data-blog-author>By <a>b</a></p><p data-blog-published>c</p>", "a"),
        ("<h1>a</h1><p>By <a rel=author>b</a>, <time datetime=2026>c</time></p>", "a By b, c"),
        ("<div data-blog-body><p data-blog-author>a</p><p data-blog-generated>b</p></div>", "a b"),
        ("<div data-blog-body>a<section data-blog-faq>b</section></div><section data-blog-faq>c</section>", "a"),
    ],
)
def test_the_written_part_is_what_stays(source: str, text: str) -> None:
    page = HtmlPage(source)

    assert written_part(page).text() == text
    assert page.text() == HtmlPage(source).text()
