"""T3, T7 to T13 and T17: the head, the headings and the images of an article's page."""

import pytest

from blog_engine.enums import ReportScope
from blog_engine.fetching import Fetched
from blog_engine.models import Post
from blog_engine.surface_report.markup import (
    judge_canonical,
    judge_description,
    judge_heading_levels,
    judge_image_texts,
    judge_language,
    judge_main_heading,
    judge_sharing,
    judge_title,
    judge_viewport,
)
from blog_engine.surface_report.site import ArticlePredicate, InspectedArticle, Inspection
from tests.requirements import requirement
from tests.support.factories import store_image
from tests.support.images import plain
from tests.surface_report.conftest import answer, article, inspect, look, look_at_page, page, save, site

pytestmark = pytest.mark.django_db

OWN = "https://example.com/blog/soil"
CANONICAL = f'<link rel="canonical" href="{OWN}">'
ELSEWHERE = "https://other.example/soil?a=1&b=2"


@pytest.fixture
def post() -> Post:
    return article(description="What grows.")


@requirement("surface-report.t3")
@pytest.mark.parametrize(
    "instead",
    [
        "",
        CANONICAL * 2,
        '<link rel="canonical">',
        '<link rel="canonical" href="/blog/soil">',
        f'<link rel="canonical" href="{OWN}/">',
        f'<link rel="canonical" href="{OWN}?page=1">',
        '<link rel="canonical" href="http://example.com/blog/soil">',
    ],
)
def test_any_other_canonical_link_fails(post: Post, instead: str) -> None:
    assert look(judge_canonical, post, (CANONICAL, instead)).result == "fail"


@requirement("surface-report.t3")
@pytest.mark.parametrize(
    ("found", "result"),
    [(answer("There."), "pass"), (answer(status=301), "fail"), (answer(status=404), "fail"), (None, "not verified")],
)
def test_the_chosen_url_must_open(found: Fetched | None, result: str) -> None:
    post = article(canonical_url=ELSEWHERE)

    assert look(judge_canonical, post, staged={ELSEWHERE: found}).result == result


@requirement("surface-report.t3")
def test_the_own_url_is_wrong_where_another_was_chosen() -> None:
    post = article(canonical_url=ELSEWHERE)
    written = ELSEWHERE.replace("&", "&amp;")

    found = look(judge_canonical, post, (f'href="{written}"', f'href="{OWN}"'), staged={ELSEWHERE: "There."})

    assert (found.result, found.details) == ("fail", {"expected": ELSEWHERE, "found": OWN})


@requirement("surface-report.t7", "surface-report.t8")
@pytest.mark.parametrize(
    ("check", "html"),
    [
        (judge_title, ""),
        (judge_title, "<title>\n </title>"),
        (judge_title, "<svg><title>Soil</title></svg>"),
        (judge_description, '<meta property="description" content="Soil">'),
        (judge_description, '<meta name="description">'),
        (judge_description, '<meta name="description" content=" ">'),
    ],
)
def test_what_is_empty_or_missing_fails(post: Post, check: ArticlePredicate, html: str) -> None:
    assert look_at_page(check, post, html).result == "fail"


@requirement("surface-report.t7", "surface-report.t8")
@pytest.mark.parametrize("check", [judge_title, judge_description])
@pytest.mark.parametrize(
    ("second", "results"),
    [
        ("soil   FIELD", ["fail", "fail"]),
        ("Soil field, too", ["pass", "pass"]),
    ],
)
def test_what_two_articles_share_fails_for_both(check: ArticlePredicate, second: str, results: list[str]) -> None:
    texts = {"one": "Soil field", "two": second, "three": "Stone"}
    inspection = inspect(
        *(
            save(title=name, search_title=text, search_description=text, publish=True).post
            for name, text in texts.items()
        )
    )
    one, two, three = inspection.articles

    found = [check(article, inspection) for article in (one, two, three)]

    assert [one.result for one in found] == [*results, "pass"]
    assert [one.details for one in found[:2]] == (
        [{"articles": [two.id]}, {"articles": [one.id]}] if results[0] == "fail" else [None, None]
    )


def test_pages_that_are_not_open_share_nothing() -> None:
    posts = [save(title=title, search_title="Soil", publish=True).post for title in ("one", "two")]
    first, second = inspect(*posts, on=site()).articles
    closed = InspectedArticle(second.record, page(second.page.body, status=404))
    inspection = Inspection(site(), ReportScope.ALL, (), (first, closed), reach=False, policies={})

    assert judge_title(first, inspection).result == "pass"


@requirement("surface-report.t11")
@pytest.mark.parametrize(
    ("tag", "result"),
    [
        *((tag, "pass") for tag in ("en", "de-AT", "zh-Hant-TW", "es-419", "sl-rozaj-biske", "de-1996", "x-whatever")),
        *((tag, "pass") for tag in ("i-klingon", "zh-cmn-Hans-CN", "en-a-myext-b-another", "en-GB-oed", "AR")),
        *((tag, "fail") for tag in ("", " en", "en_US", "english1", "e", "en-", "-en", "en--GB", "de-419-DE", "a-DE")),
        *((tag, "fail") for tag in ("en-a", "x", "deutschland", "de-DE-1", "en;q=1", "\u0435n", "en-\u017fa")),
    ],
)
def test_the_language_is_a_well_formed_tag(post: Post, tag: str, result: str) -> None:
    assert look(judge_language, post, ('lang="en"', f'lang="{tag}"')).result == result


@requirement("surface-report.t11")
def test_a_page_that_does_not_say_its_language_fails(post: Post) -> None:
    assert look(judge_language, post, (' lang="en"', "")).result == "fail"
    assert look_at_page(judge_language, post, "<title>Soil</title>").result == "fail"


@requirement("surface-report.t12")
@pytest.mark.parametrize(
    ("content", "result"),
    [
        ("width=device-width", "pass"),
        ("initial-scale=1; WIDTH = Device-Width", "pass"),
        ("initial-scale=1 width=device-width", "pass"),
        ("width=1024, width=device-width", "pass"),
        ("width=device-width, width=1024", "fail"),
        ("width=1024", "fail"),
        ("min-width=device-width", "fail"),
        ("width=device-width-2", "fail"),
        ("initial-scale=1", "fail"),
        ("", "fail"),
    ],
)
def test_the_viewport_is_as_wide_as_the_device(post: Post, content: str, result: str) -> None:
    found = look(judge_viewport, post, ('content="width=device-width, initial-scale=1"', f'content="{content}"'))

    assert found.result == result


@requirement("surface-report.t7", "surface-report.t12")
@pytest.mark.parametrize(
    ("check", "element"),
    [(judge_title, "<title>Soil</title>"), (judge_viewport, '<meta name="viewport" content="width=device-width">')],
)
def test_an_element_of_the_head_that_is_there_twice_fails(post: Post, check: ArticlePredicate, element: str) -> None:
    assert look_at_page(check, post, element).result == "pass"
    assert look_at_page(check, post, f"<svg><title>Logo</title></svg>{element}").result == "pass"
    assert look_at_page(check, post, f"{element}{element}").result == "fail"


@requirement("surface-report.t12")
def test_a_page_without_a_viewport_fails(post: Post) -> None:
    assert look(judge_viewport, post, ('name="viewport"', 'name="window"')).result == "fail"


@requirement("surface-report.t17")
def test_each_property_that_is_missing_or_empty_is_reported(post: Post) -> None:
    found = look(judge_sharing, post, ("og:type", "og:kind"), (f'<meta property="og:url" content="{OWN}">', ""))

    assert (found.result, found.reason) == (
        "fail",
        "The page has no og:type. The page has no og:url.",
    )


@requirement("surface-report.t17")
def test_an_empty_property_is_none(post: Post) -> None:
    properties = "".join(f'<meta property="og:{name}" content="x">' for name in ("type", "image", "url"))

    assert look_at_page(judge_sharing, post, f'{properties}<meta property="og:title" content="x">').result == "pass"
    assert look_at_page(judge_sharing, post, f'{properties}<meta property="og:title" content=" ">').result == "fail"
    assert look_at_page(judge_sharing, post, f'{properties}<meta name="og:title" content="x">').result == "fail"


H1 = '<h1 class="blog-article__title" dir="auto">Soil &amp; stone</h1>'


@pytest.fixture
def outlined() -> Post:
    return save(title="Soil & stone", body="## One\n\n### Two", publish=True).post


@requirement("surface-report.t9")
@pytest.mark.parametrize(
    ("headings", "result"),
    [
        ("<h1>A</h1><h2>B</h2><h3>C</h3><h2>D</h2>", "pass"),
        ("<h1>A</h1><h2>B</h2><h3>C</h3><h4>D</h4><h1>E</h1>", "pass"),
        ("<nav><h2>Menu</h2></nav><h1>A</h1><h2>B</h2>", "pass"),
        ("<p>None</p>", "pass"),
        ("<h1>A</h1><h3 hidden>B</h3><h2>C</h2>", "pass"),
        ('<h1>A</h1><div aria-hidden="true"><h3>B</h3></div>', "pass"),
        ("<h1>A</h1><template><h4>B</h4></template>", "pass"),
        ('<h1>A</h1><h4 role="presentation">B</h4>', "pass"),
        ('<h1>A</h1><h4 aria-level="2">B</h4>', "pass"),
        ('<h1>A</h1><p role="heading">B</p><h3>C</h3>', "pass"),
        ('<h1>A</h1><p aria-level="4">B</p>', "pass"),
        ('<h1>A</h1><h2 aria-level="0">B</h2>', "pass"),
        ("<h1>A</h1><h3>B</h3>", "fail"),
        ("<h1></h1><h3></h3>", "fail"),
        ("<h1>A</h1><h2 hidden>B</h2><h3>C</h3>", "fail"),
        ("<h1>A</h1><details><summary>B</summary><h3>C</h3></details>", "fail"),
        ('<h1>A</h1><p role="heading" aria-level="3">B</p>', "fail"),
        ('<h1>A</h1><h2 aria-level="7">B</h2>', "fail"),
        ("<h3>A</h3><h1>B</h1>", "fail"),
    ],
)
def test_levels_never_skip(outlined: Post, headings: str, result: str) -> None:
    assert look_at_page(judge_heading_levels, outlined, headings).result == result


@requirement("surface-report.t9")
def test_each_skip_is_reported(outlined: Post) -> None:
    found = look(judge_heading_levels, outlined, ("<h3", "<h5"), ("</h3>", "</h5>"))

    assert (found.result, found.reason) == ("fail", "After “One” of level 2 comes “Two” of level 5.")


@requirement("surface-report.t10")
@pytest.mark.parametrize(
    ("instead", "result"),
    [
        ("<h1>Soil\n &amp; <em>stone</em></h1>", "pass"),
        (f"{H1}<h1 hidden>Journal</h1>", "pass"),
        ("<h1>Soil &amp; Stone</h1>", "fail"),
        ("<h1>Soil &amp; stone — Journal</h1>", "fail"),
        ("<h1></h1>", "fail"),
        ("<h2>Soil &amp; stone</h2>", "fail"),
        (H1 * 2, "fail"),
        (f'<div style="visibility:hidden">{H1}</div>', "fail"),
    ],
)
def test_the_title_is_the_one_main_heading(outlined: Post, instead: str, result: str) -> None:
    assert look(judge_main_heading, outlined, (H1, instead)).result == result


@requirement("surface-report.t10")
def test_a_title_with_characters_that_no_page_may_have_passes() -> None:
    assert look(judge_main_heading, save(title="Soil\x0bstone\x81", publish=True).post).result == "pass"


@requirement("surface-report.t13")
def test_images_without_alt_are_reported() -> None:
    image = store_image(plain(size=(200, 100)), filename="small.png")
    text = f"![A wall](/blog/media/{image.sha256}/small.png)\n\n![](/blog/media/{image.sha256}/small.png)"
    post = article(body=text)

    found = look(judge_image_texts, post, ('alt="A wall"', ""))

    assert look(judge_image_texts, post).result == "pass"
    assert (found.result, found.reason, found.details) == (
        "fail",
        "1 of 2 images have no alt attribute.",
        {"images": [f"/blog/media/{image.sha256}/small.png"]},
    )


@requirement("surface-report.t13")
@pytest.mark.parametrize(
    ("images", "result"),
    [("", "pass"), ("<img alt>", "pass"), ('<img alt="x"><img>', "fail"), ('<img title="x">', "fail")],
)
def test_an_empty_alt_is_one(outlined: Post, images: str, result: str) -> None:
    assert look_at_page(judge_image_texts, outlined, images).result == result
