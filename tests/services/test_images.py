"""The images of a post: where they come from, what its revision says of them."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connections

from blog_engine.actor import Actor
from blog_engine.errors import (
    ChangeTypeRequired,
    IdentityConflict,
    ImageNotPermitted,
    NotFound,
    PostIsPublic,
    RefusedByHost,
    ScopeRequired,
    Unavailable,
)
from blog_engine.images.files import open_original
from blog_engine.models import Image, Post, Revision
from blog_engine.public import sign_stored_file
from tests.requirements import requirement
from tests.support.factories import AGENT, NOW, publish, save, update
from tests.support.hosts import blog_settings
from tests.support.images import BODY, picture_url, png
from tests.support.tables import new_image, refused, stored
from tests.support.web import Server, answer, serving

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_images")]

READER = Actor("Reader", scopes=["read"])
FIELDS = ("cover_image", "social_image")


def signed(data: bytes) -> dict[str, str]:
    return {"signed_id": sign_stored_file(default_storage.save("quay.png", ContentFile(data)))}


def by_url(server: Server, name: str = "quay") -> dict[str, str]:
    return {"url": picture_url(server, name)}


@requirement("images.references")
@pytest.mark.parametrize("field", FIELDS)
def test_a_stored_image_is_shown(field: str) -> None:
    image = stored(new_image())

    post = save(**{field: {"image_id": image.pk}}).post

    assert getattr(post, field) == image
    assert Image.objects.count() == 1


@requirement("images.references")
@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("form", ["url", "signed_id"])
def test_an_image_from_elsewhere_is_stored_with_the_post(field: str, form: str, quay: Server) -> None:
    post = save(actor=AGENT, **{field: by_url(quay) if form == "url" else signed(png())}).post

    image = Image.objects.get()
    assert getattr(Post.objects.get(), field) == getattr(post, field) == image
    assert (image.uploaded_by, image.created_at) == (AGENT.name, NOW)
    with open_original(image) as file:
        assert file.read() == png()


@requirement("images.references.cleared")
@pytest.mark.parametrize("field", FIELDS)
def test_omitting_keeps_an_image_and_null_clears_it(field: str) -> None:
    post = save(**{field: {"image_id": stored(new_image()).pk}}).post

    kept = getattr(update(post, title="New").post, field)
    cleared = getattr(update(post, **{field: None}).post, field)

    assert (kept is not None, cleared) == (True, None)
    assert Image.objects.count() == 1


@requirement("images.upload.status", "images.identity.reuse")
def test_cover_and_social_image_with_the_same_bytes_are_one_image(quay: Server) -> None:
    post = save(cover_image=by_url(quay), social_image=signed(png())).post

    assert post.cover_image == post.social_image == Image.objects.get()


@requirement("posts.object.identifiers")
def test_a_revision_names_cover_body_and_social_image_in_this_order() -> None:
    cover, inline, social = (stored(new_image(filename=f"{name}.png")) for name in ("a b", "c", "d"))

    written = save(
        body=f"![Inline](/blog/media/{inline.sha256}/wrong.png)",
        cover_image={"image_id": cover.pk},
        cover_alt="The quay",
        social_image={"image_id": social.pk},
        publish=True,
    )

    assert json.loads(Revision.objects.get().payload)["images"] == [
        {"alt": "The quay", "role": "cover", "sha256": cover.sha256, "url": f"/blog/media/{cover.sha256}/a%20b.png"},
        {"alt": "Inline", "role": "body", "sha256": inline.sha256, "url": f"/blog/media/{inline.sha256}/c.png"},
        {"alt": "", "role": "social", "sha256": social.sha256, "url": f"/blog/media/{social.sha256}/d.png"},
    ]
    assert written.post.images_verified


@pytest.mark.parametrize("field", FIELDS)
def test_another_image_is_other_content(field: str) -> None:
    post, image = save(publish=True).post, stored(new_image())

    with refused(ChangeTypeRequired):
        update(post, **{field: {"image_id": image.pk}})


@requirement("refusals.image")
@pytest.mark.parametrize("field", FIELDS)
def test_an_image_that_cannot_be_had_is_refused(field: str, quay: Server) -> None:
    post = save(slug="p").post

    for sent in (by_url(quay, "missing"), {"signed_id": "made-up"}, signed(b"no image"), {"url": "ftp://a.example/b"}):
        for write in (lambda **fields: save(slug="new", **fields), lambda **fields: publish(post, **fields)):
            with refused(ImageNotPermitted, []):
                write(**{field: sent})


@requirement("images.references.missing")
@pytest.mark.parametrize("number", [999_999, 10**30])
def test_an_unknown_number_is_not_found(number: int, quay: Server) -> None:
    with refused(NotFound, []):
        save(cover_image={"image_id": number}, social_image=by_url(quay))


@requirement("refusals.nothing-written", "images.storage.row-and-file")
@pytest.mark.parametrize("publishing", [False, True])
def test_a_later_refusal_takes_rows_and_files_away_again(publishing: bool, quay: Server, settings: Any) -> None:
    save(slug="taken", title="Taken", publish=True)
    settings.BLOG_ENGINE = blog_settings(before_publish=lambda post, context: ["No."])

    if publishing:
        with refused(RefusedByHost):
            save(slug="new", cover_image=by_url(quay), publish=True)
    else:
        with refused(IdentityConflict):
            save(title="Taken", cover_image=by_url(quay))


@requirement("images.storage.row-and-file")
@pytest.mark.usefixtures("failing_storage")
def test_a_storage_that_fails_refuses_the_whole_write(quay: Server) -> None:
    post = save(title="Old").post

    with refused(Unavailable, []):
        update(post, title="New", cover_image=by_url(quay))


WRITES: dict[str, Callable[..., Any]] = {
    "a draft": lambda **fields: save(actor=READER, **fields),
    "a public post": lambda **fields: update(Post.objects.get(), actor=AGENT, **fields),
    "a save of a public post": lambda **fields: save(actor=AGENT, slug="p", **fields),
    "with an approval": lambda **fields: save(actor=AGENT, approval={"name": "R", "facts_checked": True}, **fields),
    "a release": lambda **fields: publish(Post.objects.get(), actor=AGENT, **fields),
    "a new public post": lambda **fields: save(actor=AGENT, publish=True, **fields),
}


@requirement("access.scopes.create", "access.scopes.edit", "images.fetch.last")
@pytest.mark.parametrize("sent", ["cover_image", "body"])
@pytest.mark.parametrize("write", list(WRITES))
def test_nothing_is_fetched_for_an_actor_without_the_scope(write: str, sent: str, quay: Server) -> None:
    save(slug="p", publish=True)
    fields = {"cover_image": by_url(quay)} if sent == "cover_image" else {"body": BODY.format(url=picture_url(quay))}

    with refused(ScopeRequired):
        WRITES[write](**fields)

    assert quay.hits() == 0


@requirement("images.fetch.last")
def test_nothing_is_fetched_for_a_post_that_is_not_there(quay: Server) -> None:
    missing = Post(pk=999)

    for write in (update, publish):
        with refused(NotFound):
            write(missing, cover_image=by_url(quay))

    assert quay.hits() == 0


@requirement("images.fetch.last")
def test_nothing_is_fetched_for_a_draft_of_a_public_post(quay: Server) -> None:
    save(slug="p", publish=True)

    with refused(PostIsPublic):
        save(slug="p", cover_image=by_url(quay))

    assert quay.hits() == 0


@requirement("images.fetch.no-transaction")
@pytest.mark.django_db(transaction=True)
def test_no_transaction_is_open_while_something_is_fetched() -> None:
    mine = connections["default"]
    open_transactions = []

    def say(server: Server, connection: Any, path: str) -> None:
        open_transactions.append(mine.in_atomic_block)
        connection.sendall(answer(png()))

    with serving(say) as server:
        post = save(cover_image=by_url(server), body=BODY.format(url=picture_url(server))).post
        publish(post, social_image=by_url(server), body=BODY.format(url=picture_url(server, "other")))

    assert open_transactions == [False] * 4


def test_a_hook_may_choose_another_cover(settings: Any) -> None:
    chosen = stored(new_image())

    def choose(post: Post, context: Any) -> None:
        post.cover_image = chosen

    settings.BLOG_ENGINE = blog_settings(before_publish=choose)

    post = save(publish=True).post

    assert post.cover_image == chosen
    (image,) = json.loads(Revision.objects.get().payload)["images"]
    assert image["sha256"] == chosen.sha256
