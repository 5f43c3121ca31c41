"""Exact keys, order and counts of authors."""

from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.db import connection
from django.test.utils import CaptureQueriesContext

from blog_engine.models import Author, Image
from blog_engine.operations import records
from tests.requirements import requirement
from tests.support.clients import call_operation
from tests.support.factories import LATER, make_author, remove, save
from tests.support.images import png
from tests.support.tables import new_image, stored

pytestmark = pytest.mark.django_db

KEYS = [
    *(
        "id",
        "name",
        "slug",
        "type",
        "bio",
        "url",
        "profile_urls",
        "fediverse",
        "avatar",
        "host_reference",
        "posts_count",
    ),
]


@requirement("taxonomy.authors.object", "taxonomy.authors.defaults")
def test_an_author_has_exactly_these_fields() -> None:
    made = call_operation(records.create_author, {"name": "Mina Holt", "bio": None})

    assert list(made) == KEYS
    assert made == {
        "id": Author.objects.get().pk,
        "name": "Mina Holt",
        "slug": "mina-holt",
        "type": "person",
        "bio": "",
        "url": None,
        "profile_urls": [],
        "fediverse": "",
        "avatar": None,
        "host_reference": None,
        "posts_count": 0,
    }


@requirement("taxonomy.authors.object")
def test_an_edited_author_answers_with_what_is_stored_now() -> None:
    author = make_author(url="https://mina.example", host_reference="user:7")
    image = stored(new_image(sha256="ab" * 32, filename="mina holt.png"))
    for title in ("One", "Two"):
        save(title=title, author="Mina Holt", publish=True)
    remove(save(title="Archived", author="Mina Holt", publish=True).post)

    answer = call_operation(
        records.update_author,
        {"avatar": {"image_id": image.pk}, "profile_urls": ["https://a.example"]},
        id=str(author.pk),
    )

    assert answer == {
        "id": author.pk,
        "name": "Mina Holt",
        "slug": "mina-holt",
        "type": "person",
        "bio": "",
        "url": "https://mina.example",
        "profile_urls": ["https://a.example"],
        "fediverse": "",
        "avatar": {
            "image_id": image.pk,
            "url": f"/blog/media/{'ab' * 32}/mina%20holt.png",
            "sha256": "ab" * 32,
            "filename": "mina holt.png",
            "content_type": "image/png",
            "byte_size": 9,
            "width": 3,
            "height": 3,
            "credit": "",
            "digital_source_type": None,
            "source_type_from": None,
        },
        "host_reference": "user:7",
        "posts_count": 3,
        "redirects": [],
    }


@requirement("taxonomy.authors.host-file")
def test_a_file_that_the_host_attached_is_no_image_yet(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = tmp_path
    make_author().avatar_file.save("mina.png", ContentFile(png()))

    (author,) = call_operation(records.list_authors)["authors"]

    assert author["avatar"] is None
    assert not Image.objects.exists()


@requirement("api.lists.envelope", "taxonomy.posts-count")
def test_authors_are_listed_by_id_with_posts_of_every_state() -> None:
    make_author(name="Zoe", avatar={"image_id": stored(new_image()).pk})
    save(title="Draft")
    save(title="Scheduled", publish=True, publish_at=LATER.isoformat())
    save(title="Published", publish=True)
    make_author(name="Ann")

    answer = call_operation(records.list_authors)

    assert list(answer) == ["authors", "page", "per_page", "total", "next_cursor"]
    assert [list(row) for row in answer["authors"]] == [KEYS] * 3
    assert [(row["name"], row["posts_count"], row["avatar"] is None) for row in answer.pop("authors")] == [
        ("Zoe", 0, False),
        ("Ada Example", 3, True),
        ("Ann", 0, True),
    ]
    assert answer == {"page": 1, "per_page": 25, "total": 3, "next_cursor": None}


@requirement("api.lists.queries")
def test_a_longer_list_takes_no_more_queries() -> None:
    taken = []

    for start, count in ((0, 3), (3, 27)):
        for number in range(start, start + count):
            make_author(name=f"Author {number}", avatar={"image_id": stored(new_image()).pk})
            save(title=f"Post {number}", author=f"Author {number}")
        with CaptureQueriesContext(connection) as queries:
            call_operation(records.list_authors, {"per_page": 100})
        taken.append(len(queries))

    assert taken == [2, 2]
