"""T9, T10 and T13: headings and images."""

import pytest

from blog_engine.models import Post
from blog_engine.surface_report.markup import judge_heading_levels, judge_image_texts, judge_main_heading
from tests.requirements import requirement
from tests.support.factories import store_image
from tests.support.images import plain
from tests.surface_report.conftest import article, look, look_at_page, save

pytestmark = pytest.mark.django_db

H1 = '<h1 class="blog-article__title" dir="auto">Soil &amp; stone</h1>'


@pytest.fixture
def post() -> Post:
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
def test_levels_never_skip(post: Post, headings: str, result: str) -> None:
    assert look_at_page(judge_heading_levels, post, headings).result == result


@requirement("surface-report.t9")
def test_each_skip_is_reported(post: Post) -> None:
    found = look(judge_heading_levels, post, ("<h3", "<h5"), ("</h3>", "</h5>"), ("About the author", "Who"))

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
def test_the_title_is_the_one_main_heading(post: Post, instead: str, result: str) -> None:
    assert look(judge_main_heading, post, (H1, instead)).result == result


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
def test_an_empty_alt_is_one(post: Post, images: str, result: str) -> None:
    assert look_at_page(judge_image_texts, post, images).result == result
