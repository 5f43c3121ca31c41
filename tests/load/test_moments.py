"""The check of tests/load/test_consistency.py."""

import pytest

from tests.load.moments import Scene, State, Subject


@pytest.fixture
def scene() -> Scene:
    """A post whose number 1 was stored between 0 and 1, 2 between 10 and 12, and that was withdrawn at 20 to 22."""
    post = Subject("Pier 0")
    post.states = [State(1, True, 0, 1), State(2, True, 10, 12), State(2, False, 20, 22)]
    return Scene("http://127.0.0.1", [post], [])


@pytest.mark.parametrize(
    ("begin", "end", "number"),
    [(2, 3, 1), (9, 11, 1), (9, 11, 2), (11, 11.5, 1), (13, 14, 2), (19, 21, 2)],
)
def test_a_page_of_a_moment_is_right(scene: Scene, begin: float, end: float, number: int) -> None:
    scene.check("/", frozenset({("Pier 0", number)}), begin=begin, end=end, needed=scene.posts)

    assert scene.wrong == []


@pytest.mark.parametrize(("begin", "end", "number"), [(2, 3, 2), (12, 13, 1), (13, 14, 1), (23, 24, 2), (2, 30, 3)])
def test_a_page_of_another_moment_is_wrong(scene: Scene, begin: float, end: float, number: int) -> None:
    scene.check("/", frozenset({("Pier 0", number)}), begin=begin, end=end, needed=[])

    assert len(scene.wrong) == 1


@pytest.mark.parametrize(("begin", "end", "count"), [(2, 3, 1), (11, 13, 1), (21, 21.5, 0), (23, 24, 0)])
def test_a_public_post_must_not_be_missing(scene: Scene, begin: float, end: float, count: int) -> None:
    scene.check("/", frozenset(), begin=begin, end=end, needed=scene.posts)

    assert len(scene.wrong) == count


def test_a_write_without_an_answer_may_be_stored_or_not(scene: Scene) -> None:
    scene.posts[0].states[1:] = [State(2, True, 10)]

    for number in (1, 2):
        scene.check("/", frozenset({("Pier 0", number)}), begin=50, end=51, needed=scene.posts)

    assert scene.wrong == []
