"""What an import makes of the posts of a source, in a first run and in later ones."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine

from blog_engine.importing.source import (
    ImageUse,
    Item,
    Loss,
    LossKind,
    Omitted,
    SourceImage,
    SourcePost,
    SourceStatus,
    SourceTerm,
)
from blog_engine.models import Author, Baseline, Category, Post, Redirect, Series
from blog_engine.queries.posts import tag_names
from blog_engine.services import publish_due
from tests.importing.old_blogs import (
    LONG_AGO,
    OLD,
    draft,
    entry,
    interrupted,
    run_import,
    scheduled,
)
from tests.requirements import requirement
from tests.support.databases import align_ids
from tests.support.factories import LATER, NOW, publish, save, unpublish, update
from tests.support.hosts import blog_settings
from tests.support.integrity import assert_all_is_well, rows
from tests.support.tables import undone

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_images")]

SOON = NOW + timedelta(days=3)
WHOLE: dict[str, Any] = {
    "author": "Ann Bell",
    "category": "Garden",
    "tags": ("Leeks", "Soil"),
    "series": "Winter",
    "series_position": 2,
    "description": "What leeks need.",
    "texts": {"search_title": "Leeks", "search_description": "All about leeks."},
    "is_featured": True,
    "canonical_url": "https://elsewhere.example/leeks",
    "feed_id": f"{OLD}/?p=1",
    "former_urls": (f"{OLD}/?p=1",),
    "modified_at": LONG_AGO + timedelta(days=9),
    "modified_evidence": "blog.xml: post_modified_gmt",
}


@requirement("import.published", "import.identity")
def test_a_public_post_is_adopted_with_all_that_is_known_of_it() -> None:
    outcome = run_import(
        entry(**WHOLE),
        SourceTerm("category", "Garden", description="Of beds."),
        SourceTerm("author", "Ann Bell", description="Digs.", url="https://ann.example"),
        SourceTerm("series", "Winter", description="Cold months."),
    )

    post = Post.objects.get()
    baseline = Baseline.objects.get()
    assert outcome.results == {"1": "published"}
    assert (post.status, post.slug, post.title, post.body) == ("published", "post-1", "Post 1", "The text of post 1.")
    assert (post.description, post.search_title, post.search_description) == (
        "What leeks need.",
        "Leeks",
        "All about leeks.",
    )
    assert (str(post.author), str(post.category), str(post.series), post.series_position) == (
        "Ann Bell",
        "Garden",
        "Winter",
        2,
    )
    assert (post.featured, post.canonical_url, post.feed_id, tag_names(post)) == (
        True,
        "https://elsewhere.example/leeks",
        f"{OLD}/?p=1",
        ["Leeks", "Soil"],
    )
    assert (post.published_at, post.modified_at) == (LONG_AGO.replace(hour=1), LONG_AGO + timedelta(days=9))
    assert (post.provenance, post.external_id) == ("unknown", "wordpress:old.example:1")
    assert (baseline.source_system, baseline.source_id, baseline.adopted_by) == (
        "wordpress",
        "old.example:1",
        "import_blog",
    )
    assert (baseline.first_published_evidence, baseline.last_modified_evidence) == (
        "blog.xml: post_date_gmt",
        "blog.xml: post_modified_gmt",
    )
    author = Author.objects.get(name="Ann Bell")
    assert (author.bio, author.url) == ("Digs.", "https://ann.example")
    assert (Category.objects.get().description, Series.objects.get().description) == ("Of beds.", "Cold months.")
    assert_all_is_well()


@requirement("import.states")
def test_drafts_stay_drafts_and_future_posts_stay_scheduled() -> None:
    outcome = run_import(draft(1), scheduled(2, SOON))

    assert outcome.results == {"1": "draft", "2": "scheduled"}
    assert list(Post.objects.order_by("slug").values_list("status", "publish_at")) == [
        ("draft", None),
        ("scheduled", SOON),
    ]
    assert not Redirect.objects.exists()
    publish_due(now=SOON)
    assert Post.objects.get(slug="post-2").status == "published"


@requirement("import.states.past")
def test_a_schedule_that_has_passed_becomes_a_draft() -> None:
    outcome = run_import(scheduled(1, NOW - timedelta(minutes=1)))

    assert (outcome.results, outcome.kinds()) == ({"1": "draft"}, [LossKind.DATE])


@requirement("import.states.refused")
def test_a_post_that_the_blog_does_not_schedule_stays_a_draft(settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(require_approval=True)

    outcome = run_import(scheduled(1, SOON))

    assert (outcome.results, outcome.kinds(), Post.objects.get().status) == (
        {"1": "draft"},
        [LossKind.WITHHELD],
        "draft",
    )


@requirement("import.repeat")
def test_a_second_run_writes_nothing() -> None:
    entries: list[Item] = [
        entry(1, **WHOLE),
        draft(2, tags=("a",), author="Ann Bell", category="Garden", description="D", canonical_url="https://x.example"),
        scheduled(3, SOON, series="Winter", series_position=1),
        entry(4, slug="search", title="  spaced  "),
        entry(5, slug="über-uns"),
        SourceTerm("author", "Ann Bell", description="Digs."),
        SourceTerm("tag", "Leeks", url=f"{OLD}/tag/leeks/"),
    ]
    first = run_import(*entries)
    before = rows()

    second = run_import(*entries, now=LATER)

    assert set(second.results.values()) == {"unchanged"}
    assert second.losses == first.losses
    assert rows() == before


@requirement("import.repeat")
def test_an_order_of_the_source_that_differs_changes_nothing() -> None:
    entries = [entry(1, slug="same"), entry(2, slug="same"), draft(3, slug="same")]
    run_import(*entries)
    before = rows()

    run_import(*reversed(entries), now=LATER)

    assert rows() == before
    assert sorted(Post.objects.values_list("external_id", "slug")) == [
        ("wordpress:old.example:1", "same"),
        ("wordpress:old.example:2", "same-2"),
        ("wordpress:old.example:3", "same-3"),
    ]


@requirement("import.newer")
def test_a_newer_export_updates_what_nobody_changed_here() -> None:
    posts = [entry(1, tags=("a",)), draft(2, description="Old"), scheduled(3, SOON), draft(4)]
    run_import(*posts)

    outcome = run_import(
        replace(posts[0], body="New."),
        replace(posts[1], title="New", description=None),
        replace(posts[2], published_at=SOON + timedelta(days=1)),
        entry(4),
        now=LATER,
    )

    assert outcome.results == {"1": "updated", "2": "updated", "3": "updated", "4": "published"}
    assert Post.objects.get(slug="post-1").body == "New."
    assert Post.objects.filter(slug="post-2").values_list("title", "description").get() == ("New", "")
    assert Post.objects.get(slug="post-3").publish_at == SOON + timedelta(days=1)
    assert Post.objects.get(slug="post-4").status == "published"


@requirement("import.newer")
def test_an_overdue_post_is_updated_and_stays_scheduled() -> None:
    post = scheduled(3, SOON)
    run_import(post)

    outcome = run_import(replace(post, body="New."), now=SOON + timedelta(hours=1))

    assert outcome.results == {"3": "updated"}
    assert list(Post.objects.values_list("status", "publish_at", "body")) == [("scheduled", SOON, "New.")]


@requirement("import.kept")
def test_what_changed_here_is_kept_and_named() -> None:
    posts = [entry(1), draft(2), draft(3), scheduled(4, SOON), entry(5), draft(6)]
    run_import(*posts)
    stored = {str(post.external_id).rpartition(":")[2]: post for post in Post.objects.all()}
    update(stored["1"], body="Corrected here.", change="maintenance")
    update(stored["2"], body="Edited here.")
    publish(stored["3"])
    unpublish(stored["4"])
    unpublish(stored["5"])
    update(stored["6"], title="Edited here")
    before = rows()

    outcome = run_import(*(replace(post, body="New.") for post in posts[:5]), entry(6), now=LATER)

    assert set(outcome.results.values()) == {"kept"}
    assert all(outcome.kinds(str(number)) == [LossKind.KEPT] for number in range(1, 7))
    assert rows() == before


@requirement("import.kept")
@pytest.mark.parametrize(
    ("first", "meanwhile", "again", "now", "result", "status"),
    [
        (scheduled(1, SOON), lambda: unpublish(Post.objects.get()), scheduled(1, SOON), LATER, "kept", "draft"),
        (scheduled(1, SOON), lambda: publish_due(now=SOON), scheduled(1, SOON), SOON, "kept", "published"),
        # Its time has just come.
        (scheduled(1, SOON), lambda: None, scheduled(1, SOON), SOON, "unchanged", "scheduled"),
        (entry(1), lambda: None, entry(1, status=SourceStatus.DRAFT), LATER, "kept", "published"),
    ],
    ids=["withdrawn here", "published by its schedule", "due", "withdrawn there"],
)
def test_a_status_that_changed_meanwhile_stays(
    first: SourcePost, meanwhile: Callable[[], object], again: SourcePost, now: datetime, result: str, status: str
) -> None:
    run_import(first)
    meanwhile()

    outcome = run_import(again, now=now)

    assert (outcome.results, Post.objects.get().status) == ({"1": result}, status)


@requirement("import.skipped")
@pytest.mark.parametrize(
    "fields",
    [{"title": "t" * 256}, {"title": " "}, {"body": "b" * 262_145}, {"body": "ü" * 140_000}, {"body": "b" * 3_000_000}],
    ids=["long title", "no title", "long body", "long in bytes", "very long body"],
)
@pytest.mark.parametrize("make", [entry, draft])
def test_a_post_that_cannot_be_stored_is_skipped_and_named(make: Any, fields: dict[str, Any]) -> None:
    outcome = run_import(make(1, author="Ann Bell", tags=("a",), **fields), entry(2))

    assert outcome.results == {"1": "skipped", "2": "published"}
    assert outcome.kinds() == [LossKind.SKIPPED]
    assert (Post.objects.count(), Author.objects.filter(name="Ann Bell").exists()) == (1, False)


@requirement("import.fields")
def test_a_field_that_is_not_accepted_is_left_out_and_named() -> None:
    outcome = run_import(
        entry(
            canonical_url="ftp://x.example",
            feed_id="no uri",
            texts={"search_title": "s" * 256},
            category="c" * 300,
            tags=("a", "t" * 256, " ", "a"),
        )
    )

    post = Post.objects.get()
    assert outcome.results == {"1": "published"}
    assert outcome.kinds() == [LossKind.FIELD] * 5
    assert (post.canonical_url, post.search_title, post.category, tag_names(post)) == (None, "", None, ["a"])


@requirement("import.characters")
def test_characters_that_no_text_can_contain_are_removed_and_named() -> None:
    outcome = run_import(entry(title="A\0B", body="one\0\ud800 two e" + "\u0301" * 40, tags=("a\0",)))

    post = Post.objects.get()
    assert (post.title, post.body, tag_names(post)) == ("AB", "one two e" + "\u0301" * 30, ["a"])
    assert outcome.kinds() == [LossKind.CHARACTER]
    assert outcome.messages() == ["14 characters that no text can contain were removed."]


@requirement("import.characters")
def test_such_characters_break_nothing_wherever_they_are() -> None:
    bad = "x\0\ud800y"

    outcome = run_import(
        entry(
            source_id=bad,
            slug=bad,
            url=f"{OLD}/{bad}",
            former_urls=(f"{OLD}/?p={bad}",),
            where=bad,
            author=bad,
            series=bad,
            category=bad,
            cover=ImageUse(url=f"{OLD}/{bad}.png", alt=bad),
            link_names=(bad,),
            base=bad,
            losses=(Loss(LossKind.FIELD, bad),),
            feed_id=f"urn:{bad}",
            description=bad,
            texts={"search_title": bad},
        ),
        Omitted(bad, bad, bad, bad, bad),
        SourceTerm("author", bad, bad, bad, bad),
        SourceImage(bad, (bad,), bad),
    )

    assert list(outcome.results.values()) == ["published"]
    post = Post.objects.get()
    assert (post.slug, post.author_name, post.description, post.search_title, post.external_id) == (
        "xy",
        "xy",
        "xy",
        "xy",
        "wordpress:old.example:xy",
    )


@requirement("import.dates")
@pytest.mark.parametrize(
    ("moment", "stored"),
    [
        (datetime(1, 1, 1, tzinfo=UTC), datetime(1, 1, 1, tzinfo=UTC)),
        (datetime(1901, 2, 3, tzinfo=UTC), datetime(1901, 2, 3, tzinfo=UTC)),
        (NOW + timedelta(days=1), None),
        (datetime.max.replace(tzinfo=UTC), None),
        (None, None),
    ],
    ids=["first year", "before 1970", "future", "last year", "none"],
)
def test_any_date_of_a_public_post_can_be_imported(moment: datetime | None, stored: datetime | None) -> None:
    outcome = run_import(entry(published_at=moment))

    assert (outcome.results, Post.objects.get().published_at) == ({"1": "published"}, stored)
    assert outcome.kinds() == ([LossKind.DATE] if moment and stored is None else [])


def test_a_date_outside_of_all_time_zones_is_left_out() -> None:
    moment = datetime.fromisoformat("0001-01-01T00:00:00+05:00")

    assert run_import(entry(published_at=moment)).results == {"1": "published"}


@requirement("import.dates")
def test_a_change_before_the_publication_is_no_date() -> None:
    run_import(entry(modified_at=LONG_AGO - timedelta(days=1)))

    assert Baseline.objects.get().last_modified_at is None


@requirement("import.series")
def test_of_two_posts_with_one_position_the_later_has_none() -> None:
    entries = [entry(number, series="Winter", series_position=1) for number in (1, 2)]

    outcome = run_import(*entries)

    assert list(Post.objects.order_by("slug").values_list("series__name", "series_position")) == [
        ("Winter", 1),
        ("Winter", None),
    ]
    assert (outcome.kinds("1"), outcome.kinds("2")) == ([], [LossKind.FIELD])
    assert set(run_import(*entries, now=LATER).results.values()) == {"unchanged"}


@requirement("import.duplicates")
def test_an_entry_twice_counts_once_and_the_newer_of_two_contents_wins() -> None:
    newer = entry(2, body="New.", modified_at=LONG_AGO + timedelta(days=2), where="b.xml:1")
    older = entry(2, body="Old.", modified_at=LONG_AGO + timedelta(days=1), where="a.xml:1")

    outcome = run_import(entry(1), entry(1, where="other.xml:9"), newer, older, newer)

    assert outcome.results == {"1": "published", "2": "published"}
    assert Post.objects.get(slug="post-2").body == "New."
    assert (outcome.kinds("1"), outcome.kinds("2")) == ([], [LossKind.DUPLICATE])


def test_tags_and_categories_that_differ_by_case_follow_the_services() -> None:
    run_import(entry(1, tags=("Leeks", "leeks"), category="Garden"), entry(2, tags=("LEEKS",), category="garden"))

    assert [tag_names(post) for post in Post.objects.order_by("slug")] == [["Leeks"], ["Leeks"]]
    assert Category.objects.get().name == "Garden"


@requirement("import.taken-slug")
def test_a_post_of_the_blog_is_never_overwritten() -> None:
    own = save(slug="post-1", body="Ours.").post
    drafted = save(slug="post-2", body="Ours.").post

    outcome = run_import(entry(1), draft(2))

    own.refresh_from_db()
    drafted.refresh_from_db()
    assert (own.body, drafted.body) == ("Ours.", "Ours.")
    assert outcome.kinds("1") == outcome.kinds("2") == [LossKind.SLUG]
    assert set(Post.objects.values_list("slug", flat=True)) == {"post-1", "post-2", "post-1-2", "post-2-2"}


@requirement("import.markdown.translations")
def test_versions_of_a_post_in_several_languages_are_joined() -> None:
    outcome = run_import(
        entry(1, translation_key="a"),
        entry(2, translation_key="a", language="fr"),
        draft(3, translation_key="a", language="de"),
        entry(4, translation_key="b"),
        entry(5, translation_key="a", language="fr"),
    )

    groups = dict(Post.objects.values_list("slug", "translation_group"))
    assert groups["post-1"] is not None
    assert [groups[f"post-{number}"] == groups["post-1"] for number in (2, 3, 4, 5)] == [True, True, False, False]
    assert outcome.kinds("5") == [LossKind.FIELD]
    assert Post.objects.count() == 5


@requirement("import.markdown.translations")
def test_a_second_run_leaves_the_versions_of_a_post_alone() -> None:
    posts = [entry(1, translation_key="a"), entry(2, translation_key="a", language="fr")]
    run_import(*posts)
    before = list(Post.objects.values_list("slug", "translation_group", "version"))

    again = run_import(*posts)

    assert set(again.results.values()) == {"unchanged"}
    assert list(Post.objects.values_list("slug", "translation_group", "version")) == before


def rows_of_content() -> dict[str, Any]:
    """Return every row; the counts of lists are written by upserts, whose ids have gaps."""
    stored = rows()
    for counts in stored["ListCount"]:
        del counts["id"]
    return stored


@pytest.mark.sqlite
@requirement("import.resumed")
@time_machine.travel(NOW, tick=False)
@pytest.mark.parametrize("at", [1, 4, 6])
@pytest.mark.heavy
def test_an_interrupted_import_comes_to_the_same_result_when_it_runs_again(at: int) -> None:
    shared: dict[str, Any] = {"author": "Ann", "category": "Garden", "body": "[Next](/2019/post-3/)"}
    posts = [
        entry(number, tags=("a", f"t{number}"), former_urls=(f"{OLD}/?p={number}",), **shared) for number in range(6)
    ]
    posts.append(draft(6))
    align_ids()
    with undone():
        run_import(*posts)
        expected = rows_of_content()

    align_ids()
    with pytest.raises(KeyboardInterrupt), interrupted(at=at):
        run_import(*posts)
    stored = Post.objects.count()
    align_ids()
    resumed = run_import(*posts)

    assert stored == at - 1
    assert [str(resumed.results[str(number)]) for number in range(at - 1)] == ["unchanged"] * (at - 1)
    assert rows_of_content() == expected
