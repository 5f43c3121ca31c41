"""The order of a series at the desk, without JavaScript."""

import pytest
from django.test import Client

from blog_engine.models import Post, Series
from tests.admin.desk import faults, logged, nothing_written, page_of, sent, url
from tests.requirements import requirement
from tests.support.factories import save, update

pytestmark = pytest.mark.django_db


@pytest.fixture
def parts() -> list[Post]:
    return [save(title=f"Part {n}", series="Tides", series_position=n * 2).post for n in (1, 2, 3)]


def tides() -> int:
    return Series.objects.get().pk


def joined(*parts: Post) -> str:
    return ",".join(str(part.pk) for part in parts)


def shown(page: str) -> list[str]:
    return [f"Part {n}" for n in sorted((1, 2, 3), key=lambda n: page.index(f"data-title>Part {n}<"))]


def positions() -> dict[str, int | None]:
    return dict(Post.objects.values_list("title", "series_position"))


def test_an_order_is_saved(editor: Client, parts: list[Post]) -> None:
    one, two, three = parts

    answer = sent(editor, "series_order", tides(), posts=joined(three, one, two))

    assert answer["Location"] == url("series_order", tides())
    assert positions() == {"Part 1": 2, "Part 2": 3, "Part 3": 1}
    assert logged() == [(2, "Tides")]
    assert shown(page_of(editor, "series_order", tides())) == ["Part 3", "Part 1", "Part 2"]


@requirement("desk.series-order")
def test_a_button_moves_a_post_on_the_page_alone(editor: Client, parts: list[Post]) -> None:
    one, two, three = parts

    with nothing_written():
        first = sent(editor, "series_order", tides(), posts=joined(one, two, three), move=f"up:{three.pk}")
        page = first.content.decode()
        second = sent(editor, "series_order", tides(), posts=first.context["order"], move=f"down:{one.pk}")

    assert shown(page) == ["Part 1", "Part 3", "Part 2"]
    assert "“Part 3” is now number 2 of 3." in page
    assert second.context["order"] == joined(three, one, two)


@pytest.mark.parametrize("move", ["up:first", "down:last", "up:0", "left:1", "up", "", "up:x"])
def test_a_move_that_leads_nowhere_changes_nothing(editor: Client, parts: list[Post], move: str) -> None:
    wanted = move.replace("first", str(parts[0].pk)).replace("last", str(parts[2].pk))

    answer = sent(editor, "series_order", tides(), posts=joined(*parts), move=wanted)

    assert answer.context["order"] == joined(*parts)


@pytest.mark.parametrize("posts", ["", "x", "1,,2", "1,2,3,999", "9" * 30])
@pytest.mark.parametrize("move", [{}, {"move": "up:1"}])
def test_another_order_is_refused_and_the_stored_one_shown(
    editor: Client, parts: list[Post], posts: str, move: dict[str, str]
) -> None:
    with nothing_written():
        answer = sent(editor, "series_order", tides(), posts=posts, **move)

    assert shown(answer.content.decode()) == ["Part 1", "Part 2", "Part 3"]


def test_a_post_that_left_meanwhile_refuses_the_order(editor: Client, parts: list[Post]) -> None:
    one, two, three = parts
    update(two, series=None)

    with nothing_written():
        answer = sent(editor, "series_order", tides(), posts=joined(three, two, one))

    assert faults(answer) == ["posts"]
    assert "Nothing was saved" in answer.content.decode()


def test_the_buttons_have_names(editor: Client, parts: list[Post]) -> None:
    page = page_of(editor, "series_order", tides())

    assert 'aria-label="Move “Part 2” up"' in page
    assert page.count('name="move"') == 6
    assert page.count("disabled") == 2


def test_a_series_without_posts_has_no_order(editor: Client) -> None:
    series = Series.objects.create(name="Empty", slug="empty")

    assert "no posts yet" in page_of(editor, "series_order", series.pk)
