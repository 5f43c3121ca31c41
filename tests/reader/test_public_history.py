"""How an article was made: the page, its JSON, and what the setting shows."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import caches
from django.test import override_settings
from pytest_django import Settings

from blog_engine.actor import Actor
from blog_engine.enums import ActorKind
from blog_engine.models import Post, Publication
from blog_engine.queries.public_history import EVENTS_PER_PAGE
from tests.reader.conftest import count_queries
from tests.requirements import CONTRACT, requirement
from tests.support.factories import (
    DECLARATION,
    LATER,
    NOW,
    adopt,
    approve,
    publish,
    remove,
    save,
    unpublish,
    update,
)
from tests.support.hosts import blog_settings
from tests.support.pages import Element, Visitor, meta
from tests.support.tables import insert_redirect

VERA = Actor("Vera Example", kind=ActorKind.PERSON, user_id=7)
BOT = Actor("Bot", id="token:3", kind=ActorKind.TOKEN)
SHOWING = ("dates", "names", "full")


@pytest.fixture(autouse=True)
def shows_everything(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(public_history="full")


def showing(setting: str, **others: Any) -> override_settings:
    return override_settings(BLOG_ENGINE=blog_settings(public_history=setting, **others))


def verdict(visitor: Visitor, slug: str) -> str:
    return visitor.page(f"/{slug}/history").one("p", class_="blog-history__verdict").text


def events_of(page: Element) -> list[Element]:
    return page.one("ol", class_="blog-timeline").all("li", class_="blog-timeline__event")


def what_happened(page: Element) -> list[str]:
    return [event.one("p", class_="blog-timeline__what").text for event in events_of(page)]


def json_of(visitor: Visitor, slug: str, query: str = "") -> dict[str, Any]:
    answer: dict[str, Any] = visitor.get(f"/{slug}/history.json{query}").json()
    return answer


@pytest.mark.parametrize(
    ("provenance", "made"),
    [
        ("human_written", "Made by people"),
        ("ai_assisted", "Made with the help of AI"),
        ("unknown", "Not known whether AI helped to make it"),
    ],
)
@requirement("public-history.page")
def test_the_page_begins_with_how_the_article_was_made(visitor: Visitor, provenance: str, made: str) -> None:
    save(title="Soil", publish=True, provenance=provenance)

    assert verdict(visitor, "soil") == f"{made}, no check of its facts recorded, unchanged since it was published."


@requirement("public-history.page")
def test_the_sentence_counts_corrections_before_other_changes(visitor: Visitor) -> None:
    post = save(title="Soil", body="One.", publish=True).post
    endings = [verdict(visitor, "soil")]
    for number, (change, note) in enumerate(
        [("maintenance", None), ("substantive", None), ("correction", "It was three."), ("correction", "It was four.")]
    ):
        update(post, body=f"Text {number}.", change=change, **({"note": note} if note else {}))
        endings.append(verdict(visitor, "soil"))

    assert [ending.rpartition(", ")[2] for ending in endings] == [
        "unchanged since it was published.",
        "its meaning unchanged since it was published.",
        "changed since it was published.",
        "corrected once since it was published.",
        "corrected 2 times since it was published.",
    ]


@requirement("public-history.verdict")
def test_a_check_is_a_persons_only_if_a_person_was_signed_in(visitor: Visitor) -> None:
    by = {"person": VERA, "token": BOT, "system": Actor("Import")}
    for slug, actor in by.items():
        approve(save(title=slug, publish=True).post, actor=actor)

    assert {slug: verdict(visitor, slug).split(", ", 1)[1].rpartition(", ")[0] for slug in by} == {
        "person": "facts checked by a person on November 21, 2026",
        "token": "facts recorded as checked on November 21, 2026 by a program, not by a person who was signed in",
        "system": "facts recorded as checked on November 21, 2026 by a program, not by a person who was signed in",
    }
    assert [json_of(visitor, slug)["facts_checked"]["recorded_by"] for slug in by] == ["person", "token", "system"]


@requirement("public-history.verdict")
def test_a_check_counts_for_the_present_version_alone(visitor: Visitor) -> None:
    post = save(title="Soil", body="One.", publish=True).post
    approve(post, actor=VERA)
    approve(save(title="Read", publish=True).post, actor=VERA, facts_checked=False)
    before = verdict(visitor, "soil")

    update(post, body="Two.", change="substantive")

    assert "checked by a person" in before
    assert "no check of its facts recorded" in verdict(visitor, "soil")
    assert json_of(visitor, "soil")["facts_checked"] is None
    assert "no check of its facts recorded" in verdict(visitor, "read")


@requirement("public-history.verdict", "public-history.names")
def test_a_check_from_elsewhere_says_so(visitor: Visitor) -> None:
    adopt(declaration=DECLARATION, provenance="human_written", provenance_evidence="Written in 2019.")

    page = visitor.page("/night-ferry/history")

    assert page.one("p", class_="blog-history__verdict").text == (
        "Made by people, facts checked by a person on January 2, 2020, before it came to this blog, unchanged since it "
        "came to this blog."
    )
    assert "Rosa Reviewer had checked the facts on January 2, 2020, before it came to this blog." in page.text
    assert what_happened(page) == ["Brought here from another system, where it was public"]


@requirement("public-history.timeline")
def test_the_timeline_has_what_readers_saw_and_nothing_else(visitor: Visitor) -> None:
    post = save(title="Soil", body="One.").post
    publish(post, publish_at=(NOW + timedelta(days=9)).isoformat(), now=NOW)
    publish(post, publish_at=None, now=NOW)
    publish(post, now=NOW)
    update(post, body="Two.", change="correction", note="It was one.", now=NOW + timedelta(hours=1))
    unpublish(post, now=NOW + timedelta(hours=2))
    publish(post, now=NOW + timedelta(hours=3))
    update(post, body="Three.", change="maintenance", now=NOW + timedelta(hours=4))

    page = visitor.page("/soil/history")

    assert what_happened(page) == [
        "Spelling, links or layout changed; the meaning stayed",
        "Published again, unchanged",
        "Withdrawn: readers could not see it",
        "Corrected",
        "Published",
    ]
    assert page.one("blockquote", class_="blog-timeline__note").text == "It was one."
    assert [event.has("span", class_="blog-timeline__present") for event in events_of(page)] == [True, *[False] * 4]
    # Several events of a day have the time of the day.
    assert events_of(page)[-1].one("time").text == "Nov. 21, 2026, 12:00"


@requirement("public-history.timeline")
def test_a_publication_of_the_future_is_not_shown_yet(visitor: Visitor) -> None:
    post = save(title="Soil", publish=True).post
    row = Publication.objects.get(post=post.pk)
    row.pk, row._state.adding, row.entry_type = None, True, "substantive"
    row.occurred_at = LATER + timedelta(days=400)
    row.save()

    assert what_happened(visitor.page("/soil/history")) == ["Published"]
    assert json_of(visitor, "soil")["versions"] == 1


@requirement("public-history.setting", "public-history.names")
def test_names_are_shown_only_by_their_settings(visitor: Visitor) -> None:
    post = save(title="Soil", body="One.", publish=True, actor=BOT, made_by_ai=True).post
    approve(post, actor=VERA)
    approve(post, actor=BOT, facts_checked=False)
    found = {}
    for setting in SHOWING:
        with showing(setting):
            page = visitor.page("/soil/history")
            found[setting] = [one.text for one in page.all("p", class_="blog-timeline__detail")]

    details = [
        "Written by Bot with the help of AI.",
        "Rosa Reviewer checked the facts on November 21, 2026.",
        "Recorded by a program: Rosa Reviewer read it on November 21, 2026, without checking the facts.",
    ]
    assert found == {"dates": [], "names": details, "full": details}


@requirement("public-history.setting", "public-history.json")
def test_the_json_has_the_keys_of_the_tables(visitor: Visitor) -> None:
    post = save(title="Soil", body="One.", publish=True).post
    approve(post, actor=VERA)
    update(post, body="Two.", change="correction", note="It was one.")
    approve(Post.objects.get(pk=post.pk), actor=VERA)
    tables = [_keys_below(f"| {head} | Value |") for head in ("Key", "Key of an event", "Key of a review")]
    named = {"writer", "made_by_ai", "reviews", "name", "facts_checked"}
    texts = {"description", "withheld", "text_url", "changes_url"}
    hidden = {"dates": named | texts, "names": texts, "full": set()}

    for setting in SHOWING:
        with showing(setting):
            answer = visitor.get("/soil/history.json")
        found = answer.json()

        assert (answer["Content-Type"], answer["X-Robots-Tag"]) == ("application/json", "noindex")
        assert set(found) == tables[0]
        assert set(found["events"][0]) == tables[1] - hidden[setting]
        assert set(found["facts_checked"]) == tables[2] - hidden[setting]
        assert found["shows"] == setting
        assert (found["versions"], found["corrections"], len(found["events"])) == (2, 1, 2)
        assert [event["kind"] for event in found["events"]] == ["correction", "first"]
        assert found["present_version"] == found["events"][0]["version"]
        assert (found["evidence_url"] is None) is (setting != "full")


def _keys_below(head: str) -> set[str]:
    lines = (CONTRACT / "public-history.md").read_text("utf-8").split(head)[1].split("\n\n")[0].splitlines()[2:]
    return {name for line in lines for name in re.findall(r"`(\w+)`", line.split("|")[1])}


@requirement("public-history.setting")
def test_without_the_setting_nothing_is_there_and_nothing_links_to_it(visitor: Visitor) -> None:
    post = save(title="Soil", body="One.", publish=True).post
    identifier = post.current_revision_identifier
    paths = ["/history", "/history.json", "/history/evidence.json", f"/history/{identifier}"]
    update(post, body="Two.", change="substantive")
    newer = Post.objects.get(pk=post.pk).current_revision_identifier
    paths.append(f"/history/{identifier}/{newer}")

    with showing("off"):
        assert {visitor.get(f"/soil{path}").status_code for path in paths} == {404}
        assert "/history" not in visitor.get("/soil").content.decode()
        assert "/history" not in visitor.get("/soil.md").content.decode()
    with showing("names"):
        assert [visitor.get(f"/soil{path}").status_code for path in paths] == [200, 200, 404, 404, 404]
    assert [visitor.get(f"/soil{path}").status_code for path in paths] == [200] * 5


@requirement("public-history.links")
def test_byline_and_markdown_link_to_the_page_and_the_sitemap_does_not(visitor: Visitor) -> None:
    save(title="Soil", publish=True)

    with override_settings(BLOG_ENGINE=blog_settings()):
        byline = visitor.page("/soil").one("div", class_="blog-byline")
        assert byline.one("a", data_blog_history="").attrs["href"] == "/blog/soil/history"
        assert (
            visitor.get("/soil.md")
            .content.decode()
            .endswith("\n\n[How this article was made](https://example.com/blog/soil/history)\n")
        )
        assert "/history" not in visitor.get("/sitemap.xml").content.decode()
        assert "/history" not in visitor.get("/").content.decode()


@requirement("public-history.robots")
def test_search_engines_may_index_the_first_page_alone(visitor: Visitor) -> None:
    post = save(title="Soil", body="Text 0.", publish=True).post
    identifiers = [post.current_revision_identifier]
    for number in range(EVENTS_PER_PAGE):
        update(post, body=f"Text {number + 1}.", change="maintenance")
    identifiers.append(Post.objects.get(pk=post.pk).public_revision_identifier or "")

    text = visitor.page(f"/soil/history/{identifiers[0]}")
    headers = [visitor.get(f"/soil/history{path}").get("X-Robots-Tag") for path in ("", "?page=2")]

    assert meta(visitor.page("/soil/history"), "robots") == "index, follow, max-image-preview:large"
    assert meta(visitor.page("/soil/history?page=2"), "robots") == "noindex, follow"
    assert meta(text, "robots") == "noindex, nofollow"
    assert headers == [None, None]
    assert visitor.get(f"/soil/history/{identifiers[0]}")["X-Robots-Tag"] == "noindex"
    assert visitor.get("/soil/history/evidence.json")["X-Robots-Tag"] == "noindex"


@requirement("public-history.not-found")
def test_the_history_follows_what_the_article_answers(visitor: Visitor) -> None:
    save(title="Draft")
    withdrawn = save(title="Withdrawn", publish=True).post
    unpublish(withdrawn)
    remove(save(title="Gone", publish=True).post)
    remove(save(title="Moved", publish=True).post, redirect_to="/blog/soil")
    save(title="Soil", publish=True)
    bare = save(title="Bare", publish=True).post
    insert_redirect(old_path="/blog/old", new_path="/blog/soil")

    for slug in ["draft", "withdrawn", "gone", "moved", "old", "none"]:
        article = visitor.get(f"/{slug}")
        for path in ["/history", "/history.json", "/history/evidence.json", f"/history/{'0' * 64}"]:
            answer = visitor.get(f"/{slug}{path}")
            assert answer.status_code == article.status_code, (slug, path)
    assert visitor.get("/old/history")["Location"] == "/blog/soil/history"
    assert visitor.get("/old/history.json")["Location"] == "/blog/soil/history.json"
    assert visitor.get("/old/history/evidence.json")["Location"] == "/blog/soil/history/evidence.json"
    assert visitor.get(f"/old/history/{'0' * 64}")["Location"] == "/blog/soil/history"
    for query in ["?page=2", "?page=0", "?page=x", "?format=md", "?page=1&page=2"]:
        assert visitor.get(f"/bare/history{query}").status_code == 404, query
    assert visitor.get("/bare/history?format=html").status_code == 200
    assert visitor.get(f"/bare/history/{'0' * 64}").status_code == 404
    assert visitor.get("/bare/history/").status_code == 301
    assert bare.pk


@requirement("public-history.pages", "public-history.queries")
def test_a_long_history_has_pages_that_cost_the_same(visitor: Visitor) -> None:
    post = save(title="Soil", body="Text 0.", publish=True).post
    approve(post, actor=VERA)
    few = {setting: _queries(visitor, setting) for setting in SHOWING}
    for number in range(2 * EVENTS_PER_PAGE):
        update(post, body=f"Text {number + 1}.", change="maintenance")
        approve(Post.objects.get(pk=post.pk), actor=VERA)

    first, second, third = (visitor.page(f"/soil/history?page={number}") for number in (1, 2, 3))

    assert {setting: _queries(visitor, setting) for setting in SHOWING} == few
    assert max(few.values()) <= 13
    assert [len(events_of(page)) for page in (first, second, third)] == [EVENTS_PER_PAGE, EVENTS_PER_PAGE, 1]
    assert [_steps(page) for page in (first, second, third)] == [
        ["/blog/soil/history?page=2"],
        ["/blog/soil/history", "/blog/soil/history?page=3"],
        ["/blog/soil/history?page=2"],
    ]
    assert all(event.has("a", rel="nofollow") for event in events_of(first))
    assert json_of(visitor, "soil", "?page=2")["newer"] == "https://example.com/blog/soil/history.json"
    assert json_of(visitor, "soil", "?page=2")["older"] == "https://example.com/blog/soil/history.json?page=3"
    # Differences also from the last version of a page to the first one of the next.
    assert len(second.text.split("What changed")) == EVENTS_PER_PAGE + 1


def _queries(visitor: Visitor, setting: str) -> int:
    with showing(setting):
        caches["memory"].clear()
        return count_queries(visitor, "/soil/history")


def _steps(page: Element) -> list[str]:
    return [link.attrs["href"] for link in page.all("a", class_="blog-pagination__step")]
