"""``GET /images``: the stored images and what uses them."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from blog_engine.models import Image
from tests.requirements import requirement
from tests.support.clients import refusal_in
from tests.support.factories import NOW, make_author, remove, save, store_image
from tests.support.images import encoded, halves, plain, png

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_images")]

IMAGES = "/blog/api/v1/images"


def listed(client: Client, query: str = "") -> dict[str, Any]:
    response = client.get(IMAGES + query)
    assert response.status_code == 200, response.content
    answer: dict[str, Any] = response.json()
    return answer


def names(answer: dict[str, Any]) -> list[str]:
    return [image["filename"] for image in answer["images"]]


def use(kind: str, **named: Any) -> dict[str, Any]:
    return {"kind": kind, "post_id": None, "author_id": None, "status": None} | named


def of(post: Any, kind: str) -> dict[str, Any]:
    return use(kind, post_id=post.pk, slug=post.slug, title=post.title, status=post.status)


@pytest.fixture
def gallery() -> list[Image]:
    """Three images, of which the first is used in every way and the last not at all."""
    return [
        store_image(png(), filename="Quay.png"),
        store_image(plain(), filename="small.png"),
        store_image(encoded(halves(), "PNG"), filename="quay at dusk.png"),
    ]


@requirement("images.list", "images.list.entries", "images.object")
def test_images_are_listed_newest_first(reader: Client, gallery: list[Image]) -> None:
    answer = listed(reader)

    assert answer.keys() == {"images", "page", "per_page", "total", "next_cursor"}
    assert (answer["page"], answer["per_page"], answer["total"]) == (1, 25, 3)
    assert [image["image_id"] for image in answer["images"]] == [image.pk for image in reversed(gallery)]
    assert answer["images"][-1] == {
        "image_id": gallery[0].pk,
        "url": gallery[0].url,
        "sha256": gallery[0].sha256,
        "filename": "Quay.png",
        "content_type": "image/png",
        "byte_size": len(png()),
        "width": 4,
        "height": 3,
        "credit": "",
        "digital_source_type": None,
        "source_type_from": None,
        "created_at": NOW.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "uploaded_by": gallery[0].uploaded_by,
        "uses": [],
        "uses_count": 0,
    }


@requirement("images.list")
def test_a_page_and_the_filters_choose_images(reader: Client, gallery: list[Image]) -> None:
    save(title="Wall", cover_image={"image_id": gallery[0].pk})

    assert names(listed(reader, "?per_page=1&page=2")) == ["small.png"]
    assert listed(reader, "?per_page=1&page=9")["images"] == []
    assert names(listed(reader, "?q=QUAY")) == ["quay at dusk.png", "Quay.png"]
    assert names(listed(reader, "?unused=true")) == ["quay at dusk.png", "small.png"]
    assert names(listed(reader, "?unused=true&q=quay")) == ["quay at dusk.png"]
    assert listed(reader, "?unused=false")["total"] == 3
    assert listed(reader, "?q=%25")["total"] == 0


@requirement("images.list.uses")
def test_each_use_is_named_once(reader: Client, gallery: list[Image]) -> None:
    image = gallery[0]
    body = f"![A quay]({image.url})"
    draft = save(title="Wall", body=body, cover_image={"image_id": image.pk}).post
    public = save(title="Tide", social_image={"image_id": image.pk}, cover_image={"image_id": image.pk}, publish=True)
    archived = save(title="Wreck", body=body, publish=True).post
    remove(archived)
    archived.refresh_from_db()
    author = make_author(name="Rosa Quay", avatar={"image_id": image.pk})

    answer = listed(reader, "?q=Quay.png")["images"][0]

    assert answer["uses"] == [
        of(public.post, "cover_image"),
        of(draft, "cover_image"),
        of(public.post, "social_image"),
        of(archived, "body"),
        of(draft, "body"),
        use("avatar", author_id=author.pk, slug=author.slug, title="Rosa Quay"),
    ]
    assert answer["uses_count"] == 6
    assert names(listed(reader, "?unused=true")) == ["quay at dusk.png", "small.png"]


@requirement("images.list.uses")
def test_at_most_ten_uses_are_named_and_all_are_counted(reader: Client, gallery: list[Image]) -> None:
    posts = [save(title=f"Week {week}", cover_image={"image_id": gallery[1].pk}).post for week in range(11)]
    save(title="Other", social_image={"image_id": gallery[1].pk})

    found = {image["filename"]: image for image in listed(reader)["images"]}

    assert found["small.png"]["uses"] == [of(post, "cover_image") for post in reversed(posts)][:10]
    assert found["small.png"]["uses_count"] == 12
    assert found["Quay.png"]["uses_count"] == 0


@requirement("images.list", "api.lists.queries")
def test_the_number_of_queries_does_not_grow(reader: Client, gallery: list[Image]) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            listed(reader)
        return len(captured)

    listed(reader)
    before = queries()
    for image in gallery:
        for title in ("One", "Two"):
            save(title=f"{title} {image.pk}", cover_image={"image_id": image.pk}, body=f"![]({image.url})")
    for width in range(5):
        store_image(plain(size=(20 + width, 9)), filename=f"{width}.png")

    assert queries() == before


@requirement("images.list")
@pytest.mark.parametrize(
    ("query", "refusal"),
    [
        ("?unused=yes", (422, "validation_failed", ["unused"])),
        ("?q=%00&page=0", (422, "validation_failed", ["page", "q"])),
        ("?status=draft", (422, "unknown_field", ["status"])),
    ],
)
def test_another_input_is_refused(reader: Client, query: str, refusal: tuple[int, str, list[str]]) -> None:
    assert refusal_in(reader.get(IMAGES + query)) == refusal
