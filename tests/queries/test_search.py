from datetime import timedelta

import pytest

from blog_engine.models import Post
from blog_engine.queries.search import is_searchable, search
from tests import factories
from tests.requirements import requirement

pytestmark = pytest.mark.django_db


def found(words: str) -> list[str]:
    posts = search(Post.objects.all(), words, then_by=["-created_at", "-id"])
    return [post.title for post in posts]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("ab", True),
        ("  ab  ", True),
        ("x" * 100, True),
        ("é" * 100, True),
        ("", False),
        ("a", False),
        (" a ", False),
        ("x" * 101, False),
        ("a\0b", False),
    ],
)
def test_a_search_has_from_2_to_100_characters(words: str, expected: bool) -> None:
    assert is_searchable(words) is expected


@requirement("list:search", "list:case")
@pytest.mark.parametrize("words", ["hoarfrost", "HOARFROST", "needles hoarfrost", "hoarfrost\tneedles", "été", "ÉTÉ"])
@pytest.mark.parametrize(
    "fields",
    [
        {"title": "Hoarfrost needles été"},
        {"description": "Hoarfrost needles été"},
        {"body": "# Hoarfrost\n\nneedles **ÉTÉ**"},
        {"faq": [{"question": "Hoarfrost needles?", "answer": "Été."}]},
    ],
)
def test_words_are_found_in_title_description_body_and_faq(words: str, fields: dict[str, object]) -> None:
    post = factories.save(**fields).post

    assert found(words) == [post.title]


@requirement("list:search")
@pytest.mark.parametrize("words", ["hoarfrost absent", "absent", "%%", "__", "hoar%frost", "hoarf_ost", "\\\\"])
def test_a_post_without_one_of_the_words_is_not_found(words: str) -> None:
    factories.save(title="Hoarfrost needles")

    assert found(words) == []


@requirement("list:drafts")
def test_a_draft_is_found_too() -> None:
    factories.save(title="Hoarfrost")
    factories.save(title="Hoarfrost in public", publish=True)

    assert len(found("hoarfrost")) == 2


@pytest.mark.sqlite
@pytest.mark.parametrize("words", ["arfro", "50%", "a_b", "c:\\temp"])
def test_elsewhere_every_word_is_a_literal_part_of_the_text(words: str) -> None:
    factories.save(title="Hoarfrost at 50% in a_b and C:\\Temp")
    factories.save(title="Hoar frost at 505 in axb and C:/Temp")

    assert found(words) == ["Hoarfrost at 50% in a_b and C:\\Temp"]


@pytest.mark.sqlite
def test_elsewhere_the_newest_comes_first() -> None:
    factories.save(title="Hoarfrost", now=factories.NOW)
    factories.save(title="Winter", body="Hoarfrost", now=factories.NOW + timedelta(minutes=1))

    assert found("hoarfrost") == ["Winter", "Hoarfrost"]


@requirement("list:search")
@pytest.mark.postgres
def test_on_postgresql_the_best_match_comes_first_then_the_newest() -> None:
    factories.save(title="Winter I", body="hoarfrost", now=factories.NOW)
    factories.save(title="Hoarfrost", now=factories.NOW)
    factories.save(title="Winter II", body="hoarfrost", now=factories.NOW + timedelta(minutes=1))

    assert found("hoarfrost") == ["Hoarfrost", "Winter II", "Winter I"]


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ('"white hoarfrost"', ["White hoarfrost"]),
        ("hoarfrost -white", ["Hoarfrost"]),
        ("white or fog", ["White hoarfrost"]),
    ],
)
def test_on_postgresql_phrases_and_exclusions_work(words: str, expected: list[str]) -> None:
    factories.save(title="White hoarfrost")
    factories.save(title="Hoarfrost")

    assert found(words) == expected
