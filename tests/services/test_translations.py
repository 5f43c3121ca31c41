"""The language of a post and its translation group."""

import json
from typing import Any

import pytest
from django.test import override_settings

from blog_engine import services
from blog_engine.errors import ChangeTypeRequired, ValidationFailed
from blog_engine.inputs.base import parse
from blog_engine.inputs.posts import ListPosts, UpdatePost
from blog_engine.models import Post, Revision
from blog_engine.queries.post_lists import listed_posts
from blog_engine.queries.posts import read_post
from blog_engine.services.refresh import render_posts
from tests.requirements import requirement
from tests.support.factories import EDITOR, LATER, adopt, remove, save, unpublish, update
from tests.support.hosts import blog_settings
from tests.support.tables import refused

pytestmark = pytest.mark.django_db


def translations_of(post: Post) -> list[tuple[str, str]]:
    return [(one.slug, one.language) for one in read_post(post.pk).translations]


@requirement("posts.language.tag")
def test_a_language_is_stored_in_its_usual_case_and_cleared_by_null() -> None:
    post = save(language="PT-br").post

    assert Post.objects.get().language == post.language == "pt-BR"
    assert update(post, title="Jardim").post.language == "pt-BR"
    assert update(post, language=None).post.language == ""


@requirement("posts.language.content")
def test_only_a_language_of_its_own_changes_the_identifier() -> None:
    plain, other = save(title="Same", slug="one").post, save(title="Same", slug="two", language="de").post

    assert plain.current_revision_identifier != other.current_revision_identifier
    assert update(other, language="").post.current_revision_identifier == plain.current_revision_identifier


@requirement("posts.language.content", "history.identifier.payload")
def test_a_public_post_changes_its_language_with_a_change() -> None:
    post = save(publish=True).post

    with pytest.raises(ChangeTypeRequired):
        update(post, language="de")
    written = update(post, language="de", change="maintenance")

    first, second = (json.loads(one.payload) for one in Revision.objects.order_by("pk"))
    assert written.records.revision == "new"
    assert list(second) == sorted(second)
    assert second == {**first, "language": "de"}


@requirement("posts.translations")
def test_a_translation_joins_the_group_of_the_named_post() -> None:
    english = save(title="Garden").post
    german = save(title="Garten", language="de", translation_of="garden").post
    french = save(title="Jardin", language="fr", translation_of=german.pk).post

    assert translations_of(english) == [("garten", "de"), ("jardin", "fr")]
    assert translations_of(german) == [("garden", ""), ("jardin", "fr")]
    assert [one.slug for one in french.translations] == ["garden", "garten"]


@requirement("posts.translations", "posts.translations.relation")
def test_null_leaves_the_group_and_the_others_stay() -> None:
    english = save(title="Garden").post
    german = save(title="Garten", language="de", translation_of="garden").post
    save(title="Jardin", language="fr", translation_of="garden")
    versions = Post.objects.exclude(pk=german.pk).values_list("pk", "version")
    before = dict(versions)

    written = update(german, translation_of=None)

    assert (written.post.version, written.post.recent_writes[-1]["what"]) == (2, ["translation_of"])
    assert dict(versions) == before
    assert (translations_of(german), translations_of(english)) == ([], [("jardin", "fr")])


@requirement("posts.translations")
def test_a_post_moves_from_one_group_to_another() -> None:
    save(title="Garden")
    german = save(title="Garten", language="de", translation_of="garden").post
    park = save(title="Park").post

    update(german, translation_of="park")

    assert translations_of(park) == [("garten", "de")]
    assert translations_of(Post.objects.get(slug="garden")) == []


@requirement("posts.translations.target")
def test_a_translation_of_itself_or_of_no_post_is_refused() -> None:
    post = save(title="Garden").post

    with refused(ValidationFailed, ["translation_of"]):
        update(post, translation_of=post.pk)
    with refused(ValidationFailed, ["translation_of"]):
        update(post, translation_of="park")
    with refused(ValidationFailed, ["translation_of"]):
        save(title="Park", translation_of=10**30)


@requirement("posts.translations.language")
@pytest.mark.parametrize("language", ["", "en", "EN"], ids=["none", "of-the-blog", "in-capitals"])
def test_a_second_post_in_the_language_of_the_blog_is_refused(language: str) -> None:
    save(title="Garden")

    with refused(ValidationFailed, ["language"]):
        save(title="Park", language=language, translation_of="garden")


@requirement("posts.translations.language")
def test_a_post_of_a_group_cannot_take_the_language_of_another_one() -> None:
    save(title="Garden")
    save(title="Garten", language="de", translation_of="garden")
    french = save(title="Jardin", language="fr", translation_of="garden").post

    with refused(ValidationFailed, ["language"]):
        update(french, language="de")
    assert update(french, language="fr-CA").post.language == "fr-CA"


@requirement("posts.translations.relation")
def test_a_translation_keeps_the_revision_and_needs_no_change() -> None:
    english, german = save(title="Garden", publish=True).post, save(title="Garten", language="de", publish=True).post

    written = update(german, translation_of=english.pk)

    assert written.post.current_revision_identifier == german.current_revision_identifier
    assert Revision.objects.count() == 2


@requirement("posts.translations.relation")
def test_a_proposal_takes_a_language_and_no_group() -> None:
    post, other = save(title="Garden", publish=True).post, save(title="Garten").post
    data = {"propose": True, "language": "en-GB", "change": "maintenance"}

    with refused(ValidationFailed, ["translation_of"]):
        propose(post, **data, translation_of=other.pk)
    proposed = propose(post, **data)

    assert proposed.proposal is not None
    assert Post.objects.get(pk=post.pk).language == ""


def propose(post: Post, **fields: Any) -> services.Written:
    data = parse(UpdatePost, fields, fixed={"id": str(post.pk)})
    return services.update_post(data, actor=EDITOR, now=LATER)


@requirement("posts.translations.relation", "adoption.cleared")
def test_an_adoption_keeps_the_group_unless_it_names_another() -> None:
    source = {"source_system": "old", "source_id": "1", "title": "Garten", "slug": "garten", "language": "de"}
    save(title="Garden")
    adopt(**source, translation_of="garden")

    again = adopt(**source | {"title": "Der Garten"})
    assert [one.slug for one in again.post.translations] == ["garden"]
    assert again.post.language == "de"

    del source["language"]
    cleared = adopt(**source, translation_of=None)
    assert (cleared.post.language, list(cleared.post.translations)) == ("", [])


def test_a_dry_run_shows_the_translations_and_keeps_none() -> None:
    save(title="Garden")

    tried = save(title="Garten", language="de", translation_of="garden", dry_run=True)

    assert [one.slug for one in tried.post.translations] == ["garden"]
    assert tried.difference is not None
    assert "+translations: garden" in tried.difference
    assert "+language: de" in tried.difference
    assert Post.objects.get().translation_group is None


def test_a_removed_post_leaves_its_group() -> None:
    english = save(title="Garden").post
    german = save(title="Garten", language="de", translation_of="garden").post

    remove(german)

    assert translations_of(english) == []


@requirement("posts.list.language")
def test_a_list_has_the_posts_of_one_language() -> None:
    save(title="One")
    save(title="Two", language="en")
    save(title="Drei", language="de-AT")

    assert titles(language="EN") == ["Two", "One"]
    assert titles(language="de-at") == ["Drei"]
    assert titles(language="de") == []


def titles(**filters: Any) -> list[str]:
    return [post.title for post in listed_posts(parse(ListPosts, filters)).rows]


@requirement("pages.language.words")
def test_a_body_has_the_words_and_the_direction_of_its_language() -> None:
    body = "> [!NOTE]\n> Wasser.\n\n\u0645\u0631\u062d\u0628\u0627\n"
    english, german = save(body=body, slug="en").post, save(body=body, slug="de", language="de").post
    arabic = save(body=body, slug="ar", language="ar").post

    html = {post.slug: Post.objects.get(pk=post.pk).body_html for post in (english, german, arabic)}

    assert ("Hinweis" in html["de"], "Hinweis" in html["en"]) == (True, False)
    assert ('<p dir="rtl">' in html["en"], '<p dir="rtl">' in html["ar"]) == (True, False)
    assert render_posts() == 0
    update(german, language="")
    assert Post.objects.get(pk=german.pk).body_html.replace(f"-{german.pk}-", f"-{english.pk}-") == html["en"]


def test_other_settings_make_the_renderings_of_every_language_outdated() -> None:
    save(title="One", body="a\nb")
    save(title="Zwei", body="a\nb", language="de")

    with override_settings(BLOG_ENGINE=blog_settings(markdown_hardbreaks=False)):
        assert render_posts() == 2
        assert render_posts() == 0


def test_a_withdrawn_post_stays_in_its_group() -> None:
    english = save(title="Garden", publish=True).post
    german = save(title="Garten", language="de", translation_of="garden", publish=True).post

    unpublish(german)

    assert [(one.slug, one.status) for one in read_post(english.pk).translations] == [("garten", "draft")]
