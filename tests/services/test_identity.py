"""Which post a save is for, and which slug it gets."""

import pytest
from pytest_django import Settings

from blog_engine.errors import IdentityConflict, NotFound, SlugReserved, ValidationFailed
from blog_engine.inputs.posts import SavePost
from blog_engine.services import save_draft
from tests.requirements import requirement
from tests.support.factories import EDITOR, NOW, publish, save, update
from tests.support.hosts import blog_settings
from tests.support.tables import refused

pytestmark = pytest.mark.django_db


@requirement("posts.upsert.target", "posts.upsert.slug")
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"external_id": "a-1"}, {"external_id": "a-1", "title": "Two"}),
        ({"slug": "p"}, {"slug": "p", "external_id": "a-1"}),
        ({"external_id": "a-1", "slug": "p"}, {"external_id": "a-1", "slug": "q"}),
    ],
    ids=["by external id", "by slug, and named", "by external id, and moved"],
)
def test_a_save_finds_its_post_and_takes_over_what_was_sent(first: dict[str, str], second: dict[str, str]) -> None:
    stored = save(**{"title": "One"} | first).post

    written = save(**{"title": "One"} | second)

    assert (written.created, written.post.pk) == (False, stored.pk)
    assert {name: getattr(written.post, name) for name in second} == second
    assert "slug" in second or written.post.slug == stored.slug


@requirement("posts.slug.taken")
@pytest.mark.parametrize(
    ("sent", "details"),
    [({"title": "One"}, ["slug"]), ({"slug": "p", "external_id": "a-1"}, ["slug", "external_id"])],
    ids=["a title is no identity", "two posts at once"],
)
def test_another_post_with_the_slug_or_two_that_are_meant_conflict(sent: dict[str, str], details: list[str]) -> None:
    save(title="One")
    save(slug="p", title="Two")
    save(external_id="a-1", title="Three")

    with refused(IdentityConflict, details):
        save(**sent)


@requirement("posts.slug.taken")
def test_the_slug_of_another_post_is_refused_on_update() -> None:
    save(slug="p")
    other = save(slug="q").post

    with refused(IdentityConflict, ["slug"]):
        update(other, slug="p")


@requirement("posts.upsert.external-id")
def test_an_update_ignores_the_external_id() -> None:
    post = save(external_id="a-1").post

    assert update(post, external_id="other").post.external_id == "a-1"
    assert publish(post, external_id="other").post.external_id == "a-1"


@requirement("posts.slug.reserved")
@pytest.mark.parametrize(
    "slug",
    [
        *("feed", "search", "preview", "media", "policies", "api", "mcp", "sitemap", "category"),
        *("archive", "subscribe"),
    ],
)
def test_the_paths_of_the_blog_itself_are_reserved(slug: str) -> None:
    with refused(SlugReserved, []):
        save(slug=slug)


@requirement("posts.slug.reserved-title")
def test_a_title_may_not_yield_a_reserved_slug() -> None:
    with refused(SlugReserved, []):
        save(title="Search!")


@requirement("posts.slug.derived")
@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Été à bord", "ete-a-bord"),
        ("  C++ & Rust: 2 tales ", "c-rust-2-tales"),
    ],
)
def test_a_slug_is_made_from_the_title(title: str, slug: str) -> None:
    assert save(title=title).post.slug == slug


@requirement("posts.slug.derived")
def test_a_blank_slug_keeps_the_stored_one() -> None:
    post = save(slug="p").post

    assert update(post, slug="", title="Something else").post.slug == "p"


@requirement("posts.create.title")
def test_a_new_post_needs_a_title() -> None:
    with refused(ValidationFailed, ["title"]):
        save_draft(SavePost(body="Text"), actor=EDITOR, now=NOW)


@requirement("refusals.not-found")
def test_a_post_that_does_not_exist_is_not_found() -> None:
    post = save().post
    post.pk = 4711

    with refused(NotFound, []):
        update(post, title="x")


@requirement("posts.slug.language")
@pytest.mark.parametrize(
    ("locale", "language", "slug"),
    [("en", "de", "groesser"), ("de", "", "groesser"), ("de", "en", "grosser"), ("en", "", "grosser")],
)
def test_a_slug_follows_the_language_of_the_post_or_else_of_the_blog(
    locale: str, language: str, slug: str, settings: Settings
) -> None:
    settings.BLOG_ENGINE = blog_settings(locale=locale)

    assert save(title="Größer", language=language).post.slug == slug


@requirement("posts.slug.language")
def test_the_slugs_of_records_follow_the_language_of_the_blog(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(locale="ja")

    post = save(title="One", language="de", author="佐藤 花子", tags=["さくら", "日本語"]).post

    assert post.author.slug.startswith("author-")
    slugs = [tag.slug for tag in post.tags.order_by("slug")]
    assert (slugs[0], slugs[1].startswith("tag-")) == ("sakura", True)


@requirement("posts.slug.language")
def test_a_stored_slug_stays_whatever_language_comes(settings: Settings) -> None:
    post = save(title="Größer", category="Gärten").post
    settings.BLOG_ENGINE = blog_settings(locale="de")

    again = update(post, language="de", title="Noch größer", category="gärten").post

    assert again.category is not None
    assert (again.slug, again.category.slug) == ("grosser", "garten")
