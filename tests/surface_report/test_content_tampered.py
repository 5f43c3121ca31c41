"""E19 sees what was changed behind the engine's back: in a host's template, or past the engine in the database."""

from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings
from django.test import override_settings

from blog_engine.enums import ReportResult
from blog_engine.models import Post, Publication, Revision
from tests.requirements import requirement
from tests.support.databases import replayed
from tests.support.factories import approve, update
from tests.support.tables import execute, unprotected
from tests.surface_report.conftest import approved, looked, original, picture, wrong

pytestmark = pytest.mark.django_db

BODY: Final = """Calm sea at the [quay](/quay) in *winter*, 10^ [here](https://example.org/a).[^one]

## Tides

- [ ] not done
- [x] done

3. three

```python
def height(at):
    return 2 * at
```

> [!WARNING]
> Do ~~not~~ swim.

| Left | Right |
| :--- | ---: |
| a | 1 |

![The quay]({image} "At noon")

[^one]: Said the pilot.
"""
FAQ: Final = [{"question": "When?", "answer": "At noon.\nSee https://example.org/tides."}]

CHANGES: Final[dict[str, tuple[str, str, str]]] = {
    "a letter": ("Calm sea", "Calm seas", "B"),
    "a space": ("Calm sea", "Calmsea", "B"),
    "a space that does not break": ("Calm sea", "Calm\u00a0sea", "B"),
    "a word of the title": ('__title" dir="auto">Soil', '__title" dir="auto">Soils', "B"),
    "a word of the description": ('__lede" dir="auto">What grows', '__lede" dir="auto">What dies', "B"),
    "a missing description": ('<p class="blog-article__lede" dir="auto">What grows.</p>', "", "B"),
    "white space in code": ("    ", "  ", "B"),
    "a digit in code": ('<span class="mi">2</span>', '<span class="mi">3</span>', "B"),
    "a letter in a footnote": ("Said the pilot", "Said a pilot", "B"),
    "a cell": ('">1</td>', '">7</td>', "B"),
    "a task that was done": ('type="checkbox" checked', 'type="checkbox"', "B"),
    "the number of a list": ('<ol start="3">', '<ol start="5">', "B"),
    "words that were struck out": ("<del>not</del>", "not", "B"),
    "a word of an alert": (">Warning<", ">Note<", "B"),
    "a hidden paragraph": ("<p>Calm", "<p hidden>Calm", "BC"),
    "a paragraph hidden by its style": ("<p>Calm", '<p style="color:red; display : none">Calm', "BC"),
    "a paragraph for the eye only": ("<p>Calm", '<p aria-hidden="true">Calm', "B"),
    "a paragraph more": ("<p>Calm", "<p>Buy now!</p><p>Calm", "B"),
    "one more for the eye only": ("<p>Calm", '<p aria-hidden="true">Buy now!</p><p>Calm', "B"),
    "one that calls itself a notice": ("<p>Calm", '<p class="blog-notice">Buy now!</p><p>Calm', "B"),
    "one that calls itself generated": ("<p>Calm", "<p data-blog-generated>Buy now!</p><p>Calm", "B"),
    "one that calls itself an anchor": ("<p>Calm", '<a class="blog-heading-anchor">Buy!</a><p>Calm', "B"),
    "one that calls itself a language": ("<p>Calm", '<span class="blog-code-lang">Buy!</span><p>Calm', "B"),
    "one before the body": ('<blog-text class="blog-prose"', '<p>Buy now!</p><blog-text class="blog-prose"', "B"),
    "one after the body": ("</article>", "<p>Buy now!</p></article>", "B"),
    "a long one that names a date": ("<p>Calm", "<p>Buy <time datetime=2026-01-01>now</time></p><p>Calm", "B"),
    "another link": ('href="/quay"', 'href="/shop"', "C"),
    "another host": ("https://example.org/a", "https://example.com/a", "C"),
    "no link": ('<a href="/quay">quay</a>', "quay", "C"),
    "a link more": ("<em>winter</em>", '<a href="/shop"><em>winter</em></a>', "C"),
    "links from other words": ('at the <a href="/quay">quay</a>', 'at <a href="/quay">the quay</a>', "C"),
    "another base of all links": ("<title>", '<base href="https://evil.example/"><title>', "CDE"),
    "another text of an image": ('alt="The quay"', 'alt="The shop"', "D"),
    "another text of the cover": ('alt="A wall"', 'alt="A shop"', "D"),
    "an image more": ("<p>Calm", '<img src="https://shop.example/a.png" alt=""><p>Calm', "DE"),
    "a film": ("<p>Calm", '<video src="https://shop.example/a.webm"></video><p>Calm', "DE"),
    "a frame": ("<p>Calm", '<iframe srcdoc="Buy now!"></iframe><p>Calm', "D"),
    "another title in the head": ("<title>Soil", "<title>Sale", "F"),
    "another title of shared links": ('og:title" content="Soil', 'og:title" content="Sale', "F"),
    "another description in the head": ('name="description" content="What', 'name="description" content="When', "F"),
    "no description in the head": ('name="description"', 'name="keywords"', "F"),
    "another shared description": ('og:description" content="What', 'og:description" content="When', "F"),
    "another question": (">When?<", ">Where?<", "G"),
    "another answer": ("At noon.<br>", "At nine.<br>", "G"),
    "another link in an answer": ('href="https://example.org/tides"', 'href="https://shop.example/"', "G"),
    "no answer": ('<div class="blog-faq__answer" dir="auto">', '<div class="blog-faq__answer" hidden>', "G"),
    "a hidden entry": (" data-blog-faq-entry", " data-blog-faq-entry hidden", "G"),
    "no entry": (" data-blog-faq-entry", "", "G"),
    "an FAQ for the eye only": (" data-blog-faq>", ' data-blog-faq aria-hidden="true">', "G"),
    "a paragraph that calls itself an FAQ": ("<p>Calm", '<p data-blog-faq aria-hidden="true">Buy!</p><p>Calm', "G"),
    "an image in an anchor": ('"Link to Tides"></a>', '"Link to Tides"><img src="/a.png" alt=""></a>', "DE"),
    "another target of an anchor": ('href="#tides"', 'href="https://shop.example/"', "C"),
    "no FAQ": ('<section class="blog-faq" data-blog-faq>', '<section class="blog-faq" data-blog-faq hidden>', "G"),
    "a question more": ('<h2 class="blog-faq', '<p data-blog-faq-entry>Buy?</p><h2 class="blog-faq', "G"),
    "words beside the questions": ('<h2 class="blog-faq', '<p>Buy now!</p><h2 class="blog-faq', "G"),
    "another answer for machines": ('"text":"At noon.', '"text":"At nine.', "G"),
    "another question for machines": ('"name":"When?"', '"name":"Where?"', "G"),
}


@pytest.fixture
@replayed
def post() -> Post:
    cover, image = picture("cover.png", left="lime"), picture()
    return approved(
        description="What grows.",
        body=BODY.replace("{image}", original(image)),
        faq=FAQ,
        cover_image={"image_id": cover.pk},
        cover_alt="A wall",
    )


@requirement(
    "surface-report.e19.text",
    "surface-report.e19.links",
    "surface-report.e19.images",
    "surface-report.e19.head",
    "surface-report.e19.faq",
    "surface-report.e19.tampering",
)
@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_the_page_is_seen_and_placed(post: Post, change: str) -> None:
    old, new, expected = CHANGES[change]

    found = looked(post, (old, new))

    assert (found.result, wrong(found)) == (ReportResult.FAIL, expected), found.reason


def test_the_reason_shows_the_place(post: Post) -> None:
    found = looked(post, ("Calm sea", "Rough sea"), ("<title>Soil", "<title>Sale"))

    assert "“Soil What grows. Rough sea at the quay" in found.reason
    assert "“Soil What grows. Calm sea at the quay" in found.reason
    assert "“Sale — The Example Journal”" in found.reason


@requirement("surface-report.e19.tampering")
@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("Calm", "Rough", "B"),
        ('href="/quay"', 'href="/shop"', "C"),
        ('alt="The quay"', 'alt="The shop"', "D"),
        ("<p>Calm", "<p>Buy now!</p><p>Calm", "B"),
    ],
)
def test_a_change_of_the_stored_rendering_is_seen(post: Post, old: str, new: str, expected: str) -> None:
    execute("UPDATE blog_engine_post SET body_html = %s WHERE id = %s", post.body_html.replace(old, new), post.pk)

    assert wrong(looked(post)) == expected


@requirement("surface-report.e19.tampering", "surface-report.e19.records")
@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("UPDATE blog_engine_post SET title = 'Sale'", "ABF"),
        ("UPDATE blog_engine_post SET description = 'Buy now!'", "ABF"),
        ("UPDATE blog_engine_post SET search_description = 'Buy now!'", "AF"),
        ("UPDATE blog_engine_post SET author_name = 'Eve'", "A"),
        ("UPDATE blog_engine_post SET body = 'Buy now!'", "A"),
        ("UPDATE blog_engine_post SET body = 'Buy now!', rendered_with = ''", "ABCD"),
        ("UPDATE blog_engine_post SET cover_alt = 'A shop'", "AD"),
        ("UPDATE blog_engine_post SET cover_image_id = NULL", "ADF"),
    ],
)
def test_a_change_of_a_column_is_seen(post: Post, statement: str, expected: str) -> None:
    execute(statement)

    assert wrong(looked(post)) == expected


@requirement("surface-report.e19.tampering", "surface-report.e19.records")
def test_a_change_of_an_answer_is_seen(post: Post) -> None:
    execute("UPDATE blog_engine_faq SET answer = 'Buy now!'")

    assert wrong(looked(post)) == "AG"


@requirement("surface-report.e19.tampering", "surface-report.e19.records")
def test_another_cover_is_seen(post: Post) -> None:
    other = picture("other.png", left="gold")
    execute("UPDATE blog_engine_post SET cover_image_id = %s WHERE id = %s", other.pk, post.pk)

    assert wrong(looked(post)) == "ADEF"


@requirement("surface-report.e19.records")
def test_a_revision_that_was_never_published_is_seen(post: Post) -> None:
    with unprotected(Publication):
        execute("DELETE FROM blog_engine_publication")
        found = looked(post)

    assert (found.result, wrong(found)) == (ReportResult.FAIL, "A")


@requirement("surface-report.e19.records")
def test_an_approval_without_a_check_is_none(post: Post) -> None:
    update(post, body="Rough sea.", change="substantive")
    approve(Post.objects.get(pk=post.pk), facts_checked=False)

    found = looked(post)

    assert (found.result, wrong(found)) == (ReportResult.FAIL, "A")


@requirement("surface-report.e19.records")
@pytest.mark.parametrize("payload", ["{}", "", "null", '{"title": 1}', "[" * 5000, '{"faq":[1]}'])
def test_a_forged_revision_is_nothing_to_compare_with(post: Post, payload: str) -> None:
    with unprotected(Revision):
        execute("UPDATE blog_engine_revision SET payload = %s", payload)
        found = looked(post)

    assert (found.result, wrong(found)) == (ReportResult.FAIL, "ABCDEFG")
    assert found.details is not None
    assert {found.details[part] for part in "BCDEFG"} == {"not verified"}


def host_template(folder: Path, name: str, text: str) -> list[dict[str, Any]]:
    """The tests' ``TEMPLATES`` with one template of a host in front."""
    target = folder / "blog_engine" / name
    target.parent.mkdir(exist_ok=True)
    target.write_text(text, "utf-8")
    engine = settings.TEMPLATES[0]
    return [{**engine, "DIRS": [folder, *engine["DIRS"]]}]


POST_TEMPLATE = '{% extends "blog_engine/post.html" %}'
HEAD = '<h1>{{ article.title }}</h1><p class="lede">{{ article.lede }}</p>'
COVER = '{% include "blog_engine/_picture.html" with picture=article.cover is_eager=True %}'
NOTICES = '{% include "blog_engine/_notices.html" %}'


@requirement("surface-report.e19.tampering")
@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("{% block blog_body %}<p>Buy now!</p>{{ block.super }}{% endblock %}", "B"),
        ("{% block blog_body %}{{ block.super }}<a href='/shop'>Shop</a>{% endblock %}", "BC"),
        ("{% block blog_body %}<div data-blog-body><p>Summary.</p></div>{% endblock %}", "BCD"),
        ("{% block blog_body %}{{ block.super }}<p data-blog-generated>Buy now!</p>{% endblock %}", ""),
        ("{% block blog_after_article %}{{ block.super }}<p>Write to us.</p>{% endblock %}", ""),
        ("{% block blog_before_article %}<p>Spring sale</p>{% endblock %}", ""),
        (f"{{% block blog_article_head %}}{HEAD}{COVER}{{% endblock %}}", ""),
        (f"{{% block blog_article_head %}}{HEAD}{{% endblock %}}", "D"),
        (
            f"{{% block blog_article_head %}}{NOTICES}{HEAD}{COVER}<p>By <a data-blog-author>Ada</a></p>"
            "<p data-blog-published>On <time datetime='2026-11-21'>Saturday</time>, 3 min</p>{% endblock %}",
            "B",
        ),
        (f"{{% block blog_article_head %}}{NOTICES}{HEAD}{COVER}<p data-blog-author>By Ada</p>{{% endblock %}}", ""),
        (f"{{% block blog_article_head %}}{HEAD}{COVER}<p>By Ada</p>{{% endblock %}}", "B"),
        (f"{{% block blog_article_head %}}{HEAD}{COVER}<p data-blog-generated>By Ada</p>{{% endblock %}}", ""),
    ],
)
def test_what_a_template_of_a_host_adds_to_the_article_is_seen(
    post: Post, tmp_path: Path, block: str, expected: str
) -> None:
    with override_settings(TEMPLATES=host_template(tmp_path, "post.html", POST_TEMPLATE + block)):
        assert wrong(looked(post)) == expected


@requirement("surface-report.e19.tampering")
def test_a_template_of_a_host_for_the_head_is_seen(post: Post, tmp_path: Path) -> None:
    text = '<title>{{ page.title }}</title><meta name="description" content="Buy now!">'

    with override_settings(TEMPLATES=host_template(tmp_path, "_head.html", text)):
        assert wrong(looked(post)) == "F"
