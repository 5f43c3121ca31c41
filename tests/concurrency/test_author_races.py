"""Other writers while an avatar is fetched, or while an author is written."""

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.db.models import Model

from blog_engine.errors import NotFound, Refusal, ValidationFailed
from blog_engine.inputs.posts import AuthorKey
from blog_engine.models import Author, Category, Image, Series
from blog_engine.services import _taxonomy, records
from blog_engine.services._taxonomy import MadeRecords, resolve_author, resolve_category, resolve_series
from blog_engine.services._transaction import write_transaction
from tests.concurrency.races import Held, race, together
from tests.requirements import requirement
from tests.support.factories import edit_author, make_author, store_image
from tests.support.images import gallery, gallery_while, picture_url, png

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("own_images")]


def assert_nothing_imported(folder: Path) -> None:
    assert not Image.objects.exists()
    assert [path for path in folder.rglob("*") if path.is_file()] == []


def refusal_of(write: Callable[[], object]) -> Refusal:
    with pytest.raises(Refusal) as raised:
        write()
    return raised.value


@requirement("taxonomy.authors.avatar-last")
def test_a_slug_taken_during_the_fetch_is_refused_and_nothing_imported(tmp_path: Path) -> None:
    with gallery_while(lambda: make_author(name="First", slug="mina")) as server:
        refusal = refusal_of(lambda: make_author(name="Second", slug="mina", avatar={"url": picture_url(server)}))

    assert (type(refusal), refusal.details) == (ValidationFailed, ["slug"])
    assert list(Author.objects.values_list("name", flat=True)) == ["First"]
    assert_nothing_imported(tmp_path)


def test_an_author_deleted_during_the_fetch_is_not_found_and_nothing_imported(tmp_path: Path) -> None:
    author = make_author()

    with gallery_while(lambda: Author.objects.all().delete()) as server:
        refusal = refusal_of(lambda: edit_author(author.pk, avatar={"url": picture_url(server)}))

    assert type(refusal) is NotFound
    assert_nothing_imported(tmp_path)


def test_an_edit_during_the_fetch_is_kept() -> None:
    author = make_author(bio="Old.")

    with gallery_while(lambda: edit_author(author.pk, bio="New.")) as server:
        edit_author(author.pk, name="Mina Quay", avatar={"url": picture_url(server)})

    author.refresh_from_db()
    assert (author.bio, author.name, author.avatar) == ("New.", "Mina Quay", Image.objects.get())


@requirement("taxonomy.racing")
@pytest.mark.postgres
def test_the_second_of_two_new_authors_is_refused_and_imports_nothing(tmp_path: Path) -> None:
    held = Held()

    def first() -> Author:
        with write_transaction():
            made = make_author(name="Mina")
            held(None, None)
            return made

    def second() -> object:
        with gallery() as server:
            return refusal_of(
                lambda: make_author(name="Other", slug="mina", avatar={"url": picture_url(server)})
            ).details

    one, two = race(held, first, second)

    assert two == ["slug"]
    assert Author.objects.get() == one
    assert_nothing_imported(tmp_path)


@requirement("taxonomy.racing")
@pytest.mark.postgres
def test_writers_of_one_author_and_one_image_do_not_wait_for_each_other() -> None:
    held = Held()

    def author_then_image() -> Image:
        with write_transaction():
            make_author(name="Mina")
            held(None, None)
            return store_image(png())

    def the_same_in_one_call() -> object:
        with gallery() as server:
            return refusal_of(
                lambda: make_author(name="Other", slug="mina", avatar={"url": picture_url(server)})
            ).details

    stored, refused = race(held, author_then_image, the_same_in_one_call)

    assert (stored, refused) == (Image.objects.get(), ["slug"])


@requirement("taxonomy.racing")
@pytest.mark.postgres
def test_two_edits_of_one_author_are_both_kept() -> None:
    held = Held()
    author = make_author()

    def first() -> Author:
        with write_transaction():
            edited = edit_author(author.pk, name="Mina Quay")
            held(None, None)
            return edited

    race(held, first, lambda: edit_author(author.pk, bio="About her."))

    author.refresh_from_db()
    assert (author.name, author.bio) == ("Mina Quay", "About her.")


@pytest.mark.postgres
def test_of_many_equal_authors_at_once_one_is_made() -> None:
    outcomes = together(*(make_author for _ in range(6)))

    assert outcomes.count(ValidationFailed) == 5
    assert Author.objects.count() == 1


def byline() -> Author:
    return resolve_author(AuthorKey("Mina Holt"), made=MadeRecords())


def category() -> Category | None:
    return resolve_category("Mina Holt", made=MadeRecords())


def series() -> Series | None:
    return resolve_series("Mina Holt", made=MadeRecords())


@requirement("taxonomy.racing")
@pytest.mark.postgres
@pytest.mark.parametrize(
    ("write", "other", "reads"),
    [
        *((make_author, byline, reads) for reads in (1, 2, 3)),
        *((byline, byline, reads) for reads in (1, 2, 3)),
        *((write, write, reads) for write in (category, series) for reads in (1, 2)),
    ],
)
def test_an_equal_record_that_commits_between_two_reads_stays_the_only_one(
    write: Callable[[], Model], other: Callable[[], Model], reads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other writer commits after so many reads of names and slugs."""
    done, others = 0, list[object]()

    def followed(read: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            nonlocal done
            answer = read(*args, **kwargs)
            done += 1
            if done == reads:
                others.extend(together(other))
            return answer

        return call

    for module, name in product([records, _taxonomy], ["same_named", "free_slug"]):
        monkeypatch.setattr(module, name, followed(getattr(module, name)))

    try:
        written: object = write()
    except ValidationFailed as refusal:
        written = refusal.details

    stored = list(type(others[0])._default_manager.all())
    assert others == stored
    assert written == (["name"] if write is make_author else stored[0])
