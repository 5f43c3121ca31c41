"""``kill -9`` in the middle of a write, at each of its statements and around its file."""

from dataclasses import dataclass, field
from io import StringIO
from itertools import count
from typing import Any

import httpx
import pytest
from django.core.management import call_command
from PIL import Image as Picture

from blog_engine.images.files import image_storage
from blog_engine.images.variants import variant
from blog_engine.models import Image, Post, Publication
from tests.requirements import requirement
from tests.support.factories import ARTICLE, WHOLE
from tests.support.images import encoded, halves, picture_url, png
from tests.support.integrity import assert_images_are_their_files, assert_nothing_is_half, rows
from tests.support.servers import Site, send
from tests.support.web import Server

pytestmark = [pytest.mark.heavy, pytest.mark.xdist_group("killed")]

FROST: dict[str, Any] = {
    "external_id": "frost",
    "slug": "frost",
    "title": "Frost",
    "body": "Cold.",
    "faq": [{"question": "How cold?", "answer": "Very."}],
    "tags": ["ice", "snow"],
    "category": "Winter",
    "author": "Mina Holt",
}
PUBLIC = FROST | {"publish": True}
APPROVAL = {"name": "Rosa Reviewer", "facts_checked": True}
DECLARED = {"connections": [], "third_party_paid": False, "declared_by": "Ines Editor"}
MOVED = {
    "slug": "ice",
    "body": "Colder.",
    "faq": [],
    "tags": ["snow", "hail"],
    "change": "correction",
    "note": "It was colder.",
    "approval": APPROVAL,
    "connections": DECLARED,
}
IN_FULL = PUBLIC | {"approval": APPROVAL, "connections": DECLARED}
ADOPTED = ("POST", "/adoptions", WHOLE | {"old_slugs": ["ferry", "boat"]})
PAGE = {"title": "Corrections", "body": "We correct.", "slug": "we-correct", "status": "published"}


@dataclass(frozen=True)
class Act:
    """A write, and the writes before it."""

    method: str
    path: str
    sent: Any
    after: list[tuple[str, str, Any]] = field(default_factory=list)

    def perform(self, client: httpx.Client, *, die: str = "") -> httpx.Response | None:
        return send(client, self.method, self.path, json=self.sent, die=die)


ACTS = {
    "a new article, published": Act("POST", "/posts", IN_FULL),
    "a public article, corrected and moved": Act("PATCH", "/posts/frost", MOVED, [("POST", "/posts", PUBLIC)]),
    "a public article, removed": Act("DELETE", "/posts/frost", {}, [("POST", "/posts", PUBLIC)]),
    "an article, adopted": Act(*ADOPTED),
    "an article, adopted anew": Act("POST", "/adoptions", ARTICLE | {"body": "It leaves at nine."}, [ADOPTED]),
    "a policy": Act("PUT", "/pages/corrections", PAGE),
}


@requirement("host.faults.killed")
@pytest.mark.parametrize("act", ACTS.values(), ids=list(ACTS))
def test_a_worker_killed_after_any_statement_leaves_nothing(site: Site, editor: httpx.Client, act: Act) -> None:
    for method, path, sent in act.after:
        assert send(editor, method, path, json=sent).status_code in {200, 201}  # type: ignore[union-attr]
    before = rows()

    for number in count(1):
        response = act.perform(editor, die=f"write:{number}")
        if response is not None:
            assert response.status_code in {200, 201}, response.text
            break
        if rows() != before:
            # The write is committed; its findings are noted afterwards.
            break

    # A policy page is one statement, a post many.
    assert number > 1
    assert rows() != before
    assert_nothing_is_half()


@requirement("host.faults.killed")
def test_a_worker_killed_before_its_answer_has_written_and_the_same_call_again_adds_nothing(
    editor: httpx.Client,
) -> None:
    act = ACTS["a new article, published"]

    assert act.perform(editor, die="answer") is None
    again = act.perform(editor)

    assert again is not None
    assert (again.status_code, again.json()["created"]) == (200, False)
    assert [row.entry_type for row in Publication.objects.all()] == ["first"]
    assert Post.objects.count() == 1
    assert_nothing_is_half()


@requirement("host.faults.killed", "images.storage.row-and-file")
@pytest.mark.parametrize("point", ["file:before", "file:half", "file:after"])
def test_a_worker_killed_around_the_file_of_an_upload_leaves_no_row_and_the_next_one_mends_the_file(
    editor: httpx.Client, point: str
) -> None:
    upload = {"files": {"file": ("quay.png", png(), "image/png")}}

    assert send(editor, "POST", "/images", die=point, **upload) is None
    assert Image.objects.count() == 0
    assert_images_are_their_files(and_nothing_else=point == "file:before")
    response = send(editor, "POST", "/images", **upload)

    assert response is not None
    assert response.status_code == 201
    assert_nothing_is_half()


@requirement("host.faults.killed", "images.storage.row-and-file")
def test_a_worker_killed_after_the_file_of_a_cover_leaves_neither_post_nor_image(
    editor: httpx.Client, quay: Server
) -> None:
    sent = PUBLIC | {"cover_image": {"url": picture_url(quay)}}
    before = rows()

    assert send(editor, "POST", "/posts", json=sent, die="file:after") is None
    assert rows() == before
    assert_nothing_is_half(and_no_other_files=False)
    response = send(editor, "POST", "/posts", json=sent)

    assert response is not None
    assert response.status_code == 201
    assert_nothing_is_half()


@requirement("host.faults.killed")
@pytest.mark.parametrize("point", ["file:before", "file:half", "file:after"])
def test_a_worker_killed_while_it_makes_a_variant_leaves_no_partial_file(
    site: Site, editor: httpx.Client, point: str
) -> None:
    wide = encoded(halves(), "PNG")
    image = send(editor, "POST", "/images", files={"file": ("wide.png", wide, "image/png")})
    assert image is not None
    path = f"/blog/media/{image.json()['sha256']}/w480.webp"

    with site.client() as reader:
        with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
            reader.get(path, headers={"X-Die": point})
        assert reader.get(path).status_code == 302

    with image_storage().open(variant(Image.objects.get(), width=480, format="webp")) as file:
        assert Picture.open(file).convert("RGB").size == (480, 240)
    assert_nothing_is_half(and_no_other_files=False)


@requirement("host.faults.killed")
@pytest.mark.parametrize("point", ["file:half", "file:after"])
def test_what_a_killed_upload_left_is_removed_by_the_doctor_and_nothing_else(
    site: Site, editor: httpx.Client, point: str
) -> None:
    def upload(colour: str, *, die: str = "") -> httpx.Response | None:
        return send(editor, "POST", "/images", files={"file": ("quay.png", png(colour), "image/png")}, die=die)

    kept = upload("teal")
    # With its copy for networks and feeds, and the note about that.
    of_the_kept = files_of(site)
    assert upload("red", die=point) is None
    assert kept is not None
    assert len(files_of(site)) == len(of_the_kept) + 1

    call_command("blog_doctor", "CLEAN_STORAGE=true", stdout=StringIO())

    assert files_of(site) == of_the_kept
    assert f"{kept.json()['sha256']}.png" in of_the_kept
    assert_nothing_is_half()


def files_of(site: Site) -> list[str]:
    return sorted(file.name for file in site.media.rglob("*") if file.is_file())
