"""T3, T7, T8, T11, T12 and T17: the head of an article's page."""

import pytest

from blog_engine.enums import ReportScope
from blog_engine.fetching import Fetched
from blog_engine.models import Post
from blog_engine.surface_report.markup import (
    judge_canonical,
    judge_description,
    judge_language,
    judge_sharing,
    judge_title,
    judge_viewport,
)
from blog_engine.surface_report.site import ArticlePredicate, InspectedArticle, Inspection
from tests.requirements import requirement
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
