"""Taking over what was sent."""

from typing import Any

import pytest
from django.test import override_settings

from blog_engine.errors import BodyFormatNotPermitted, NotFound, ValidationFailed
from blog_engine.models import Author, Category, Faq, Post, Series, Tag
from blog_engine.queries.posts import tag_names
from tests.requirements import requirement
from tests.support.factories import EDITOR, NOW, adopt, save, update
from tests.support.hosts import blog_settings
from tests.support.tables import refused

pytestmark = pytest.mark.django_db


def faq_of(post: Post) -> list[tuple[int, str, str]]:
    return list(Faq.objects.filter(post=post).values_list("position", "question", "answer"))


@requirement("posts.edit.omitted")
def test_what_is_sent_is_stored_and_the_rest_is_kept() -> None:
    post = save(title="One", description="D", body="B\r\n", featured=True, canonical_url="https://a.example/x").post

    written = update(post, description=None)

    kept = written.post
    assert (kept.title, kept.description, kept.body, kept.featured) == ("One", "", "B\r\n", True)
    assert kept.canonical_url == "https://a.example/x"


@requirement("posts.object.text")
def test_text_is_stored_byte_for_byte() -> None:
    entry = {"question": " Why?\t", "answer": "So.\r\nAnd *so*. "}
    post = save(body="  One\r\n\r\ntwo  \n", faq=[entry]).post

    assert Post.objects.get().body == "  One\r\n\r\ntwo  \n"
    assert faq_of(post) == [(1, " Why?\t", "So.\r\nAnd *so*. ")]


@requirement("posts.edit.lists")
def test_a_sent_faq_replaces_the_list_and_reuses_rows() -> None:
    post = save(faq=[{"question": f"{n}?", "answer": "A"} for n in (1, 2, 3)]).post
    ids = list(post.faqs.values_list("pk", flat=True))

    update(post, faq=[{"question": "New?", "answer": "A"}])

    assert faq_of(post) == [(1, "New?", "A")]
    assert list(post.faqs.values_list("pk", flat=True)) == ids[:1]


@requirement("posts.edit.lists")
def test_an_empty_faq_clears_it() -> None:
    post = save(faq=[{"question": "Why?", "answer": "So."}]).post

    update(post, faq=[])

    assert faq_of(post) == []


@requirement("posts.names", "posts.list.case")
def test_tags_are_matched_without_case_and_keep_their_order_and_first_spelling() -> None:
    save(title="One", tags=["Été", "soil"])

    written = save(title="Two", tags=["Water", "ÉTÉ", "été", " SOIL "])

    assert tag_names(written.post) == ["Water", "Été", "soil"]
    assert Tag.objects.count() == 3


@requirement("posts.edit.lists")
def test_sent_tags_replace_the_list() -> None:
    post = save(tags=["a", "b"]).post

    assert tag_names(update(post, tags=["b", "c"]).post) == ["b", "c"]
    assert tag_names(update(post, tags=[]).post) == []


@requirement("posts.names")
@pytest.mark.parametrize(("field", "model"), [("category", Category), ("series", Series)], ids=["category", "series"])
def test_a_category_or_series_is_found_by_slug_or_name_or_made(field: str, model: Any) -> None:
    first = getattr(save(title="1", **{field: "Soil & Water"}).post, field)

    by_slug = getattr(save(title="2", **{field: "soil-water"}).post, field)
    by_name = getattr(save(title="3", **{field: "Soil & Water"}).post, field)
    cleared = save(title="3", slug="3", **{field: " "}).post

    assert (first.slug, first, first) == ("soil-water", by_slug, by_name)
    assert getattr(cleared, field) is None
    assert model.objects.count() == 1


_WIDE = "\uff2e\uff49\uff47\uff48\uff54\u3000\uff22\uff4f\uff41\uff54\uff53"
"""In full-width letters, as Chinese and Japanese keyboards write them."""
_SAME_NAMES = ["night BOATS", "  Night   Boats ", _WIDE, "Night\u2003Boats"]


@requirement("taxonomy.names.same", "posts.names")
@pytest.mark.parametrize("field", ["category", "series", "author"])
@pytest.mark.parametrize("spelling", _SAME_NAMES)
def test_a_name_of_another_spelling_is_the_stored_record(field: str, spelling: str) -> None:
    stored = getattr(save(title="1", **{field: "Night Boats"}).post, field)

    again = getattr(save(title="2", **{field: spelling}).post, field)

    assert (again, again.name, type(stored).objects.filter(slug__startswith="night").count()) == (
        stored,
        "Night Boats",
        1,
    )


@requirement("taxonomy.names.same")
@pytest.mark.parametrize("spelling", _SAME_NAMES)
def test_a_tag_of_another_spelling_is_the_stored_tag(spelling: str) -> None:
    save(title="1", tags=["Night Boats"])

    assert tag_names(save(title="2", tags=[spelling, "NIGHT BOATS"]).post) == ["Night Boats"]


@requirement("taxonomy.names.same")
def test_a_tag_that_an_earlier_version_keyed_otherwise_is_found_by_its_name() -> None:
    Tag.objects.create(name="\uff2e\uff49\uff47\uff48\uff54", key="\uff4e\uff49\uff47\uff48\uff54", slug="night")

    assert tag_names(save(tags=["\uff2e\uff49\uff47\uff48\uff54"]).post) == ["\uff2e\uff49\uff47\uff48\uff54"]
    assert Tag.objects.count() == 1


@requirement("taxonomy.names.same")
def test_a_renamed_record_is_found_by_its_new_name_in_another_case() -> None:
    stored = save(title="1", series="Beds").post.series
    Series.objects.filter(pk=stored.pk).update(name="Night Boats")

    assert save(title="2", series="night boats").post.series == stored


@requirement("taxonomy.names.same")
def test_of_two_authors_of_one_name_the_exact_spelling_is_taken() -> None:
    older, newer = (Author.objects.create(name=name, slug=slug) for name, slug in (("ADA", "a"), ("Ada", "b")))

    assert save(title="1", author="Ada").post.author == newer
    assert save(title="2", author="ada").post.author == older


@requirement("taxonomy.slugs.numbered", "taxonomy.names.same")
@pytest.mark.parametrize("field", ["category", "series", "author"])
def test_accents_count_and_another_name_with_the_same_slug_is_another_record(field: str) -> None:
    first = getattr(save(title="1", **{field: "Soil & Water"}).post, field)

    second = getattr(save(title="2", **{field: "Söil & Water"}).post, field)

    assert (first.slug, second.slug, second.name) == ("soil-water", "soil-water-2", "Söil & Water")


@requirement("taxonomy.names.digits")
@pytest.mark.parametrize("field", ["category", "series", "author"])
def test_digits_are_a_name_or_an_id_and_make_no_record(field: str) -> None:
    stored = getattr(save(title="1", **{field: "Beds"}).post, field)
    year = type(stored).objects.create(name="2024", slug=f"{field}-of-2024")

    assert getattr(save(title="2", **{field: "2024"}).post, field) == year
    assert getattr(save(title="3", **{field: "\uff12\uff10\uff12\uff14"}).post, field) == year
    assert getattr(save(title="4", **{field: str(stored.pk)}).post, field) == stored
    for unknown in ("2025", "9" * 19):
        with refused(NotFound, []):
            save(title="5", **{field: unknown})
    assert tag_names(save(title="6", tags=["2025"]).post) == ["2025"]


@requirement("taxonomy.slugs.numbered")
def test_a_category_and_tags_whose_slug_is_taken_get_the_next_number() -> None:
    save(title="1", category="Soil & Water", tags=["Soil & Water"])

    second = save(title="2", category="Soil; Water", tags=["Soil; Water", "Soil, Water", "SOIL & WATER"]).post
    again = save(title="3", category="Soil; Water", tags=["Soil, Water"]).post

    assert second.category is not None and second.category.slug == "soil-water-2"
    assert again.category == second.category
    assert list(Tag.objects.order_by("id").values_list("slug", flat=True)) == [
        "soil-water",
        "soil-water-2",
        "soil-water-3",
    ]
    assert tag_names(again) == ["Soil, Water"]


@requirement("taxonomy.slugs.symbols")
def test_tags_of_programming_languages_are_tags_of_their_own() -> None:
    save(tags=["C", "C++", "C#"])

    assert list(Tag.objects.order_by("slug").values_list("name", "slug")) == [
        ("C", "c"),
        ("C++", "c-plus-plus"),
        ("C#", "c-sharp"),
    ]


@requirement("posts.names.position")
def test_a_series_position_is_taken_once() -> None:
    save(title="1", series="S", series_position=1)
    other = save(title="2", series="S", series_position=2).post

    with refused(ValidationFailed, ["series_position"]):
        update(other, series_position=1)


@requirement("posts.provenance.default")
@pytest.mark.parametrize(
    ("assumed", "fields", "stored", "who"),
    [
        ("unknown", {}, "unknown", None),
        ("ai_assisted", {}, "ai_assisted", "The default of this blog, not stated by the writer,"),
        ("human_written", {}, "human_written", "The default of this blog, not stated by the writer,"),
        ("human_written", {"made_by_ai": True}, "unknown", None),
        ("ai_assisted", {"made_by_ai": True}, "ai_assisted", "The default of this blog, not stated by the writer,"),
        ("ai_assisted", {"provenance": "human_written"}, "human_written", f"Stated by {EDITOR.name}"),
        ("ai_assisted", {"provenance": "unknown"}, "unknown", None),
    ],
)
def test_a_new_post_takes_the_default_provenance_of_the_blog(
    assumed: str, fields: dict[str, object], stored: str, who: str | None
) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(default_provenance=assumed)):
        post = save(title="New", **fields).post
        later = update(post, title="Newer").post

    evidence = None if who is None else f"{who} on {NOW:%Y-%m-%d, %H:%M} UTC."
    assert (post.provenance, post.provenance_evidence) == (stored, evidence)
    assert (later.provenance, later.provenance_evidence) == (stored, evidence)


@requirement("posts.provenance.default")
def test_the_default_provenance_changes_no_stored_post_and_no_import() -> None:
    stored = save(title="Old").post

    with override_settings(BLOG_ENGINE=blog_settings(default_provenance="human_written")):
        assert update(stored, title="Older").post.provenance == "unknown"
        assert adopt().post.provenance == "unknown"


@requirement("posts.names")
def test_an_author_is_found_by_id_slug_or_name_or_made() -> None:
    made = save(title="1", author="Mina Holt").post.author

    found = [
        save(slug=f"p-{n}", author=key).post.author for n, key in enumerate([str(made.pk), "mina-holt", "Mina Holt"])
    ]

    assert found == [made] * 3
    assert (made.type, made.url) == ("person", None)


@requirement("posts.names.author-object")
def test_an_author_object_makes_an_author_once() -> None:
    sent = {"name": "Harbour Press", "type": "organization", "url": "https://harbour.example"}
    made = save(title="1", author=sent).post.author

    again = save(title="2", author=sent | {"type": "person"}).post.author

    assert (again, made.type, made.url) == (made, "organization", "https://harbour.example")


@requirement("posts.names")
def test_without_an_author_the_default_author_signs() -> None:
    written = save()

    assert (written.post.author_name, Author.objects.count()) == ("Ada Example", 1)
    assert "author_default_used" in [finding.code for finding in written.findings]
    assert "author_default_used" not in [finding.code for finding in update(written.post, title="x").findings]


@requirement("posts.names.byline")
def test_assigning_an_author_again_refreshes_the_byline() -> None:
    post = save(author="Mina Holt").post
    Author.objects.filter(pk=post.author_id).update(name="Mina Sand")

    assert update(post, title="x").post.author_name == "Mina Holt"
    assert update(post, author="mina-holt").post.author_name == "Mina Sand"


@requirement("posts.provenance.evidence")
def test_a_changed_provenance_explains_itself() -> None:
    post = save(provenance="ai_assisted").post

    assert post.provenance_evidence == f"Stated by {EDITOR.name} on {NOW:%Y-%m-%d, %H:%M} UTC."
    assert update(post, title="x").post.provenance_evidence == post.provenance_evidence
    assert update(post, provenance="human_written", provenance_evidence="I know.").post.provenance_evidence == "I know."


@requirement("limits.bodies.size")
def test_a_body_over_the_limit_is_refused(settings) -> None:
    settings.BLOG_ENGINE = blog_settings(max_body_bytes=10)

    with refused(ValidationFailed, ["body"]):
        save(body="é" * 6)
    assert save(body="é" * 5).created


@requirement("posts.body.rich-text", "posts.body.format")
def test_rich_text_is_off_until_the_blog_allows_it(settings) -> None:
    with refused(BodyFormatNotPermitted, []):
        save(body_format="rich_text")
    settings.BLOG_ENGINE = blog_settings(body_formats=["markdown", "rich_text"])

    written = save(body_format="rich_text", body="<p onclick=x>Hi <script>x</script></p>")

    assert written.post.body_html == "<p>Hi x</p>"


def test_derived_columns_follow_the_content() -> None:
    post = save(
        title="Winter Garden",
        body="## Seeds\n\nSow *early*, see[^1].\n\n[^1]: Or late.",
        faq=[{"question": "When?", "answer": "In March."}],
    ).post

    stored = Post.objects.get()
    assert stored.outline == [{"level": 2, "id": "seeds", "text": "Seeds"}]
    assert f'id="fn-{post.pk}-' in stored.body_html
    assert "fn-new" not in stored.body_html
    assert (stored.indexed_title, stored.indexed_faq) == (" winter garden ", " when in march ")
    assert stored.indexed_body.startswith(" seeds sow early ")
    assert stored.search_text == "Seeds Sow early, see. Or late. When? In March."
    assert (stored.reading_time_minutes, stored.word_count > 5) == (1, True)


def test_an_edit_of_other_fields_keeps_the_rendering() -> None:
    post = save(body="Text").post
    stored = Post.objects.get()
    stored.body_html = "kept"
    stored.store(update_fields=["body_html"])

    update(post, title="New")

    assert Post.objects.get().body_html == "kept"
