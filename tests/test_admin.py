"""The admin shows all records and changes no post and no history."""

import json
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from blog_engine.models import Author, Category, Post
from blog_engine.services.tokens import create_token
from tests.requirements import requirement
from tests.support.factories import NOW, approve, declare, save
from tests.support.tables import everything_stored

pytestmark = pytest.mark.django_db

OURS = [model for model in admin.site._registry if model._meta.app_label == "blog_engine"]
EDITABLE = {"Author", "Category", "Series"}


@pytest.fixture
def staff(client: Client) -> Client:
    client.force_login(get_user_model().objects.create_superuser("root", password="root"))
    return client


@pytest.fixture
def post() -> Post:
    made = save(publish=True, tags=["soil"], faq=[{"question": "Why?", "answer": "So."}], category="Soil").post
    approve(made)
    declare(made)
    return made


def url_of(model: Any, page: str, *args: Any) -> str:
    return reverse(f"admin:blog_engine_{model._meta.model_name}_{page}", args=args)


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_every_list_opens(model: Any, staff: Client, post: Post) -> None:
    assert staff.get(url_of(model, "changelist")).status_code == 200


@requirement("history.protection.services")
@pytest.mark.parametrize("model", [m for m in OURS if m.__name__ not in EDITABLE], ids=lambda model: model.__name__)
def test_nothing_can_be_added_changed_or_deleted(model: Any, staff: Client, post: Post) -> None:
    create_token("Agent", now=NOW)
    before = everything_stored()
    rows = list(model.objects.values_list("pk", flat=True)[:1])

    answers = [staff.post(url_of(model, "add"))]
    answers += [staff.post(url_of(model, page, pk), {"post": "yes"}) for pk in rows for page in ("change", "delete")]

    assert {answer.status_code for answer in answers} == {403}
    assert everything_stored() == before


def test_a_post_is_shown_with_its_history(staff: Client, post: Post) -> None:
    page = staff.get(url_of(Post, "change", post.pk)).content.decode()

    for text in (post.title, post.current_revision_identifier, "Rosa Reviewer", "first", "Why?"):
        assert text in page


def test_only_a_public_post_is_viewed_on_the_site(staff: Client, post: Post) -> None:
    public = save(title="Public", publish=True).post

    assert "viewsitelink" in staff.get(url_of(Post, "change", public.pk)).content.decode()
    assert "viewsitelink" not in staff.get(url_of(Post, "change", save(title="Draft").post.pk)).content.decode()


def test_a_token_never_shows_its_digest(staff: Client) -> None:
    made = create_token("Agent", now=NOW)

    page = staff.get(url_of(type(made.token), "change", made.token.pk)).content.decode()

    assert made.token.token_prefix in page
    assert made.token.token_digest not in page


def test_supporting_records_can_be_edited(staff: Client, post: Post) -> None:
    category = Category.objects.get()
    form = {"name": "Earth", "slug": "earth", "description": "", "position": 0}

    assert staff.post(url_of(Category, "change", category.pk), form).status_code == 302
    assert Category.objects.get().name == "Earth"


@requirement("taxonomy.moves")
def test_a_new_slug_leaves_a_redirect(staff: Client, post: Post) -> None:
    form = {"name": "Soil", "slug": "earth", "description": "", "position": 0}

    staff.post(url_of(Category, "change", post.category_id), form)

    assert staff.get("/blog/category/soil")["Location"] == "/blog/category/earth"


@requirement("taxonomy.deletion")
def test_deleting_a_category_asks_for_a_target_and_moves_posts_and_page(staff: Client, post: Post) -> None:
    other = Category.objects.create(name="Earth", slug="earth")
    page = url_of(Category, "delete", post.category_id)

    asked = staff.get(page).content.decode()
    staff.post(page, {"post": "yes", "target": str(other.pk)})

    assert f'<option value="{other.pk}">Earth</option>' in asked
    assert f'<option value="{post.category_id}">' not in asked
    assert Post.objects.get().category == other
    assert staff.get("/blog/category/soil")["Location"] == "/blog/category/earth"


@requirement("taxonomy.deletion")
def test_a_category_can_be_deleted_without_a_target(staff: Client, post: Post) -> None:
    staff.post(url_of(Category, "delete", post.category_id), {"post": "yes", "target": "gone"})

    assert Post.objects.get().category is None
    assert staff.get("/blog/category/soil").status_code == 410


@requirement("taxonomy.deletion")
@pytest.mark.parametrize("target", [{}, {"target": ""}, {"target": "99999"}, {"target": "x"}, {"target": "itself"}])
def test_a_deletion_without_a_choice_asks_again(staff: Client, post: Post, target: dict[str, str]) -> None:
    page = url_of(Category, "delete", post.category_id)
    before = everything_stored()

    chosen = {"target": str(post.category_id)} if target == {"target": "itself"} else target
    answer = staff.post(page, {"post": "yes"} | chosen, follow=True)

    assert answer.redirect_chain == [(page, 302)]
    assert "Choose where its posts and its page go." in answer.content.decode()
    assert everything_stored() == before


@requirement("taxonomy.deletion")
def test_categories_are_not_deleted_many_at_once(staff: Client, post: Post) -> None:
    form = {"action": "delete_selected", "_selected_action": [post.category_id], "post": "yes"}

    staff.post(url_of(Category, "changelist"), form)

    assert Category.objects.filter(pk=post.category_id).exists()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("slug", "Bad Slug!"),
        ("url", "javascript:alert(1)"),
        ("profile_urls", '["javascript:alert(1)"]'),
        ("profile_urls", '{"a": 1}'),
    ],
)
def test_an_author_is_held_to_the_rules_of_the_api(staff: Client, post: Post, field: str, value: str) -> None:
    form = {"name": "Mina", "slug": "mina", "type": "person", "bio": "", "url": "", "profile_urls": "[]"}
    before = everything_stored()

    answer = staff.post(url_of(Author, "change", post.author_id), form | {field: value})

    assert (answer.status_code, list(answer.context["adminform"].form.errors)) == (200, [field])
    assert everything_stored() == before


def test_a_url_that_the_api_accepts_can_be_saved_here(staff: Client, post: Post) -> None:
    address_of_author = "https://intranet/people/mina_h?a[]=1"
    form = {"name": "Mina", "slug": "mina", "type": "person", "bio": "", "url": address_of_author}
    form |= {"profile_urls": json.dumps([address_of_author])}

    assert staff.post(url_of(Author, "change", post.author_id), form).status_code == 302
    author = Author.objects.get(pk=post.author_id)
    assert (author.url, author.profile_urls) == (address_of_author, [address_of_author])
