"""What holds for every page of the desk: sign-in, permissions, forged requests, framing and queries."""

from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

import blog_engine.admin
from blog_engine.admin.base import DeskView, signed_in_actor
from blog_engine.deferred import DeferredView
from blog_engine.models import (
    ApiToken,
    Author,
    Category,
    HouseStyle,
    Image,
    Passkey,
    PolicyPage,
    Post,
    Proposal,
    Redirect,
    Series,
    Tag,
)
from blog_engine.services.tokens import create_token
from tests.admin.desk import EDITOR, WRITER, desk, nothing_written, person
from tests.requirements import requirement
from tests.support import factories
from tests.support.factories import NOW, approve, propose, save
from tests.support.styles import write_style

pytestmark = pytest.mark.django_db

MOST_QUERIES = 13
MOST_QUERIES_FOR_PROPOSALS = 22
EVERYTHING = (*EDITOR, "manage_tokens")

_ADMINS = {model: own for model, own in admin.site._registry.items() if model._meta.app_label == "blog_engine"}
_CONVERTED = ("post_id", "object_id", "identifier", "kind", "proposal_id", "passkey_id")


@dataclass(frozen=True)
class Route:
    """A route of the desk."""

    model: Any
    name: str
    arguments: tuple[str, ...]

    @property
    def has_record(self) -> bool:
        """Whether its path names a record."""
        return not {"post_id", "object_id", "identifier", "passkey_id"}.isdisjoint(self.arguments)

    def url(self, post: Post) -> str:
        """Return its path for this post, or for the first record of its model."""
        known = {
            "post_id": post.pk,
            "object_id": self.model._default_manager.order_by("pk").values_list("pk", flat=True).first(),
            "identifier": post.current_revision_identifier,
            "kind": "tag",
            "proposal_id": Proposal.objects.values_list("pk", flat=True).get(),
            "passkey_id": Passkey.objects.values_list("pk", flat=True).get(),
        }
        return reverse(f"admin:{self.name}", kwargs={name: known[name] for name in self.arguments})


def _routes() -> list[Route]:
    found = []
    for model, own in _ADMINS.items():
        for pattern in own.get_urls():
            if pattern.name is not None:
                arguments = tuple(pattern.pattern.converters)
                assert set(arguments) <= set(_CONVERTED), pattern.name
                found.append(Route(model, pattern.name, arguments))
    return found


ROUTES = _routes()


@pytest.fixture
def post() -> Post:
    """A public post with a history, and one record of every other kind."""
    image = factories.store_image()
    made = save(
        publish=True,
        tags=["soil"],
        faq=[{"question": "Why?", "answer": "So."}],
        category="Soil",
        series="Beds",
        cover_image={"image_id": image.pk},
        cover_alt="A quay",
        provenance="ai_assisted",
    ).post
    approve(made)
    Redirect.objects.create(old_path="/old", old_key="old", new_path="/new", source="manual", occurred_on=NOW.date())
    PolicyPage.objects.create(kind="editorial", slug="editorial", title="How we work")
    write_style(tone="Calm.")
    create_token("Agent", now=NOW)
    key = {"credential_id": "key", "x": "0" * 64, "y": "0" * 64}
    Passkey.objects.create(person="user:0", name="Laptop", created_at=NOW, **key)
    propose(
        made,
        body="Soil.",
        tags=["soil", "beds"],
        category="Plants",
        series="Rows",
        cover_image=None,
        social_image={"image_id": image.pk},
        change="maintenance",
    )
    assert all(model.objects.exists() for model in (ApiToken, Author, Category, HouseStyle, Image, Series, Tag))
    return made


def test_every_admin_of_the_desk_has_routes() -> None:
    assert {route.model for route in ROUTES} == {
        *(ApiToken, Author, Category, HouseStyle, Image, PolicyPage, Post, Redirect, Series, Tag)
    }


def test_every_view_of_the_desk_has_a_route() -> None:
    for module in iter_modules(blog_engine.admin.__path__, "blog_engine.admin."):
        import_module(module.name)
    patterns = [pattern for own in _ADMINS.values() for pattern in own.get_urls()]
    views = [view.load() if isinstance(view := one.callback, DeferredView) else view for one in patterns]
    routed = {getattr(view, "view_class", None) for view in views}

    assert sorted(view.__name__ for view in _views(DeskView) - routed) == []


def _views(base: type[DeskView]) -> set[type[DeskView]]:
    """Return the views below a class that answer requests themselves; other views inherit from the rest."""
    below = {view for one in base.__subclasses__() for view in (one, *_views(one))}
    return {view for view in below if not view.__subclasses__()}


@requirement("desk.signed-in")
def test_a_stranger_is_asked_to_sign_in(post: Post, subtests: pytest.Subtests) -> None:
    for route in ROUTES:
        with subtests.test(route.name):
            answer = Client().get(route.url(post))

            assert answer.status_code == 302
            assert answer["Location"].startswith(reverse("admin:login"))


@requirement("desk.permissions")
@pytest.mark.parametrize("method", ["get", "post"])
def test_staff_without_a_permission_see_and_change_nothing(post: Post, method: str, subtests: pytest.Subtests) -> None:
    client = desk()

    for route in ROUTES:
        with subtests.test(route.name), nothing_written():
            answer = getattr(client, method)(route.url(post))

            assert answer.status_code == 403


FORGED = {"post": "yes", "title": "Mine", "name": "Mine", "confirm": "yes"}


@requirement("desk.permissions")
def test_who_may_only_look_changes_nothing(post: Post, subtests: pytest.Subtests) -> None:
    client = desk("view_post")

    for route in ROUTES:
        with subtests.test(route.name), nothing_written():
            answer = client.post(route.url(post), FORGED)

            assert answer.status_code in {200, 302, 403, 405}


@requirement("desk.permissions")
def test_records_are_for_those_who_manage_them_and_tokens_for_their_keepers(
    post: Post, subtests: pytest.Subtests
) -> None:
    writer, editor = desk(*WRITER), desk(*EDITOR, name="Ed Editor")

    for route in ROUTES:
        if route.model not in (Post, Image):
            client, path = editor if route.model is ApiToken else writer, route.url(post)
            with subtests.test(route.name), nothing_written():
                assert {client.get(path).status_code, client.post(path, FORGED).status_code} == {403}


@requirement("desk.csrf")
def test_a_forged_request_is_refused(post: Post, subtests: pytest.Subtests) -> None:
    client = desk(*EVERYTHING, checks_csrf=True)

    for route in ROUTES:
        with subtests.test(route.name), nothing_written():
            answer = client.post(route.url(post), FORGED)

            assert answer.status_code == 403


@requirement("desk.reading", "desk.framing", "desk.queries")
def test_reading_changes_nothing_cannot_be_framed_and_is_cheap(post: Post, subtests: pytest.Subtests) -> None:
    client = desk(*EVERYTHING)
    # A person sees only own passkeys.
    Passkey.objects.update(person=f"user:{get_user_model().objects.get().pk}")

    for route in ROUTES:
        with subtests.test(route.name), nothing_written():
            path = route.url(post)
            with CaptureQueriesContext(connection) as queries:
                answer = client.get(path)
                if answer.streaming:
                    answer.getvalue()

            assert answer.status_code in {200, 302, 405}
            assert answer["X-Frame-Options"] in {"DENY", "SAMEORIGIN"}
            assert "no-store" in answer["Cache-Control"] or "private" in answer["Cache-Control"]
            most = MOST_QUERIES_FOR_PROPOSALS if "proposal_id" in route.arguments else MOST_QUERIES
            assert len(queries) <= most, [query["sql"] for query in queries]


@requirement("desk.not-found")
def test_a_record_that_does_not_exist_is_not_found(post: Post, subtests: pytest.Subtests) -> None:
    missing = {"post_id": 10**9, "object_id": 10**9, "identifier": "0" * 64, "kind": "tag", "proposal_id": 10**18} | {
        "passkey_id": 10**9
    }
    client = desk(*EVERYTHING)

    for route in (route for route in ROUTES if route.has_record):
        with subtests.test(route.name), nothing_written():
            path = reverse(f"admin:{route.name}", kwargs={name: missing[name] for name in route.arguments})

            answers = [client.get(path), client.post(path, {"post": "yes"})]

            # Django's own admin sends readers of a missing record to its index.
            assert {answer.status_code for answer in answers} <= {302, 404, 405}


@requirement("desk.permissions")
def test_the_pages_of_a_writer(post: Post) -> None:
    writer = desk(*WRITER)

    open_to_writers = {route.name for route in ROUTES if writer.get(route.url(post)).status_code != 403}

    decisions = {f"proposal_{step}" for step in ("apply", "schedule", "cancel", "reject")}
    forbidden = {"publish", "schedule", "cancel", "withdraw", "delete", "review", *decisions}
    assert {f"blog_engine_post_{page}" for page in forbidden}.isdisjoint(open_to_writers)
    assert {"blog_engine_post_changelist", "blog_engine_post_history", "blog_engine_post_queue"} <= open_to_writers
    assert not [name for name in open_to_writers if name.startswith("blog_engine_apitoken")]


@requirement("desk.actor")
def test_a_person_without_a_full_name_acts_with_the_user_name() -> None:
    request = RequestFactory().get("/")
    request.user = person("write_post", name="wanda")
    request.user.first_name = ""

    actor = signed_in_actor(request)

    assert (actor.name, actor.id, set(actor.scopes)) == ("wanda", f"user:{request.user.pk}", {"read", "write"})


@requirement("desk.actor")
def test_a_permission_gives_its_scope() -> None:
    request = RequestFactory().get("/")
    request.user = person(*EDITOR, name="Ed Editor")

    actor = signed_in_actor(request)

    assert (actor.name, set(actor.scopes)) == ("Ed Editor", {"read", "write", "publish"})
