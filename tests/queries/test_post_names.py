"""Forms of the id and the slug of a post, and the nearest slug."""

import pytest
from pytest_django import DjangoAssertNumQueries

from blog_engine.queries.post_names import no_such_post, post_key_in
from tests.requirements import requirement
from tests.support.factories import NOW, publish, remove, save, update

pytestmark = pytest.mark.django_db


@requirement("refusals.not-found")
@pytest.mark.parametrize(
    ("key", "near"),
    [
        ("fog-and-rian", "fog-and-rain"),
        ("fog_and_rain", "fog-and-rain"),
        ("Fog and Rain", "fog-and-rain"),
        ("FOG-AND-RAIN", "fog-and-rain"),
        ("gof-and-rain", "fog-and-rain"),
        ("rain-fog", "fog-and-rain"),
        ("winter-tides-1", "winter-tides"),
        ("/blog/fog-and-rian.md?x=1", "fog-and-rain"),
        ("https://elsewhere.example/a/fog-and-rain/", "fog-and-rain"),
    ],
)
def test_the_nearest_slug_is_named(key: str, near: str) -> None:
    publish(save(title="Fog and rain", slug="fog-and-rain").post)
    save(title="A draft", slug="winter-tides")

    assert f"Did you mean {near}?" in no_such_post(key)


@requirement("refusals.not-found")
@pytest.mark.parametrize("key", ["", " ", "7", "#7", "quetzalcoatl", "\x00", "https://[", "x" * 5_000, "日本"])
def test_without_a_near_slug_none_is_named(key: str) -> None:
    publish(save(title="Fog and rain", slug="fog-and-rain").post)

    assert no_such_post(key) == "No post has that id or slug. List the posts to find it."


@requirement("refusals.not-found")
def test_a_former_slug_leads_to_the_present_one() -> None:
    post = publish(save(title="Fog", slug="fog").post).post
    update(post, slug="haze")
    gone = publish(save(title="Sea", slug="sea").post).post
    remove(gone, redirect_to="https://elsewhere.example/sea")

    assert no_such_post("fog") == "The post that had this slug has haze now: send that."
    assert "now" not in no_such_post("seal")


@requirement("refusals.not-found")
def test_finding_it_takes_few_queries_however_many_posts_there_are(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(30):
        save(title=f"Fog {number}", slug=f"fog-{number}", publish=number % 2 == 0)

    for key in ("fog-3o", "gof-and-rain-and-more-words", "of fog and rain in the north"):
        with django_assert_max_num_queries(11):
            no_such_post(key)


@requirement("agents.values.posts")
def test_a_key_in_its_usual_form_takes_no_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(0):
        for key in ("10", "#10", " fog ", "/blog/fog", "fog.md", "https://example.com/blog/fog"):
            post_key_in(key, base_url="https://example.com", now=NOW)
