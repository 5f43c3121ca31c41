"""The list of posts: its columns, filters, search, orders and pages."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib import admin
from django.db import DatabaseError, connection
from django.db.models import QuerySet
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from blog_engine import services
from blog_engine.admin import post_list
from blog_engine.admin.post_list import PostChangeList
from blog_engine.enums import Label, PolicyKind, PostStatus
from blog_engine.findings import FINDINGS
from blog_engine.inputs.posts import PostRef
from blog_engine.models import Category, PolicyPage, Post
from blog_engine.queries import desk_lists, search
from blog_engine.queries.checked import posts_to_check, posts_with_label
from blog_engine.rules.label import label_of
from tests.admin.desk import EDITOR, WRITER, desk, url
from tests.requirements import requirement
from tests.support.clients import client_with
from tests.support.factories import EDITOR as INES
from tests.support.factories import NOW, approve, declare, publish, remove, save, update
from tests.support.hosts import blog_settings
from tests.support.tables import everything_stored

pytestmark = pytest.mark.django_db

MOST_QUERIES = 12


def listed(client: Client, **query: Any) -> PostChangeList:
    """The list of a page, whose rows are asserted."""
    answer = client.get(url("post_changelist"), query)
    assert answer.status_code == 200
    found: PostChangeList = answer.context["cl"]
    return found


def titles(client: Client, **query: Any) -> list[str]:
    return [row.post.title for row in listed(client, **query).rows]


def current_tabs(client: Client, **query: Any) -> list[str]:
    return [text for text, _url, is_current in listed(client, **query).tabs() if is_current]


def text_of(client: Client, **query: Any) -> str:
    html = client.get(url("post_changelist"), query).content.decode()
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def ask_for_review(post: Post) -> None:
    services.request_review(PostRef(id=str(post.pk)), actor=INES, now=NOW)


def schedule(title: str, **ahead: int) -> Post:
    at = timezone.now() + timedelta(days=400)
    post = save(title=title, publish=True, publish_at=at.isoformat(), provenance="human_written").post
    QuerySet.update(Post.objects.filter(pk=post.pk), publish_at=timezone.now() + timedelta(**ahead))
    return post


@requirement("desk.list")
def test_a_row_tells_state_author_category_label_findings_and_dates(editor: Client) -> None:
    save(title="The quay", author="Mina Holt", category="Ships", publish=True, provenance="ai_assisted", now=NOW)

    (row,) = listed(editor).rows
    text = text_of(editor)

    assert (row.state, row.label) == ("Public", "AI helped")
    assert row.findings and row.findings_url == f"{row.url}#findings-title"
    for shown in ("The quay", "Public", "Mina Holt", "Ships", "AI helped", f"{row.findings} findings", "Published"):
        assert shown in text


@requirement("desk.list")
@pytest.mark.parametrize(
    ("fields", "days", "shown"),
    [
        ({}, 0, ["Created"]),
        ({}, 0.1, ["Saved"]),
        ({}, 2, ["Saved", "Created"]),
        ({"publish": True}, 0.1, ["Published"]),
        ({"publish": True}, 2, ["Published", "Saved"]),
        ({"publish": True, "publish_at": "2040-01-01T09:00:00Z"}, 0, ["Planned for", "Saved"]),
    ],
)
def test_a_row_does_not_tell_one_day_twice(
    editor: Client, fields: dict[str, Any], days: float, shown: list[str]
) -> None:
    post = save(title="The quay", now=NOW, **fields).post
    if days:
        update(post, featured=True, now=NOW + timedelta(days=days))

    (row,) = listed(editor).rows

    assert [word for word, _moment in row.dates] == shown


@pytest.mark.parametrize("responsible", [False, True])
def test_the_number_of_findings_is_that_of_the_api(editor: Client, api: Any, settings: Any, responsible: bool) -> None:
    settings.BLOG_ENGINE = blog_settings(policy_urls=...)
    if responsible:
        PolicyPage.objects.create(kind="responsible_party", slug="imprint", title="Imprint", status="published")
    save(title="One", body="[x](/blog/nothing)", publish=True)
    save(title="Two", provenance="human_written", description="Said.")

    for row in listed(editor).rows:
        found = api.get(f"/blog/api/v1/posts/{row.post.pk}/findings").json()["findings"]
        assert row.findings == len(found)


@pytest.fixture
def api(client: Client) -> Client:
    return client_with("read")


def test_the_list_shows_posts_although_a_query_of_a_check_fails(
    editor: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def crash(subject: object) -> None:
        raise DatabaseError("no such table")

    monkeypatch.setitem(FINDINGS, "broken", crash)
    save(title="The quay")

    assert titles(editor) == ["The quay"]
    assert "Not checked" in text_of(editor)
    assert "could not be worked out" in caplog.text


@requirement("desk.list")
def test_the_next_step_of_each_state(editor: Client) -> None:
    draft = save(title="Draft", provenance="human_written").post
    made_by_ai = save(title="By AI", provenance="ai_assisted").post
    asked = save(title="Asked", provenance="human_written").post
    ask_for_review(asked)
    later, due = schedule("Later", days=3), schedule("Due", days=-1)
    public = save(title="Public", publish=True, provenance="human_written").post
    archived = save(title="Archived", publish=True).post
    remove(archived)

    steps = {row.post.title: (row.step.text, row.step.url) for row in listed(editor).rows}

    assert steps["Draft"] == ("Publish", url("post_publish", draft.pk))
    assert steps["By AI"] == ("Review", url("post_review", made_by_ai.pk))
    assert steps["Asked"] == ("Review", url("post_review", asked.pk))
    assert steps["Later"] == ("Change the time", url("post_schedule", later.pk))
    assert steps["Due"] == ("Goes public within minutes", None)
    assert steps["Archived"] == ("None", None)
    assert steps["Public"][0].startswith("Fix ")
    assert steps["Public"][1] == f"{url('post_change', public.pk)}#findings-title"
    assert due.status == PostStatus.SCHEDULED


def test_a_writer_is_offered_what_a_writer_may(settings: Any) -> None:
    writer = desk(*WRITER)
    draft = save(title="Draft", provenance="human_written").post
    ask_for_review(save(title="Asked", provenance="human_written").post)
    schedule("Later", days=3)
    save(title="Public", publish=True)

    steps = {row.post.title: (row.step.text, row.step.url) for row in listed(writer).rows}

    assert steps["Draft"] == ("Ask for a review", url("post_request_review", draft.pk))
    assert steps["Asked"] == ("Waits for a reviewer", None)
    assert steps["Later"] == ("Goes public by itself", None)
    assert steps["Public"][1] is None


def test_a_review_is_asked_for_from_the_list_with_one_button() -> None:
    writer, post = desk(*WRITER), save(title="Draft", provenance="human_written").post
    html = writer.get(url("post_changelist")).content.decode()

    (path,) = re.findall(r'form="list-ask" formaction="([^"]+)" name="wanted" value="yes"', html)
    writer.post(path, {"wanted": "yes"})

    assert titles(writer, review="requested") == ["Draft"]
    assert Post.objects.get(pk=post.pk).review_requested_by == "Wanda Writer"


def test_the_links_of_those_who_manage_the_blog() -> None:
    pages = [
        desk(*permissions, name=name).get(url("post_changelist")).content.decode()
        for permissions, name in (
            (WRITER, "Wanda Writer"),
            (EDITOR, "Ed Editor"),
        )
    ]

    assert [url("post_doctor") in page for page in pages] == [False, True]


def test_the_index_leads_to_lists_that_open(editor: Client) -> None:
    save(title="Draft", provenance="human_written")

    for path in re.findall(r'href="([^"]*/post/\?[^"]*)"', editor.get("/admin/").content.decode()):
        assert editor.get(path).status_code == 200


def test_where_an_approval_is_required_an_unknown_author_first_asks_for_a_review(editor: Client, settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(require_approval=True)
    post = save(title="Draft", provenance="unknown").post

    (row,) = listed(editor).rows

    assert (row.step.text, row.step.url) == ("Ask for a review", url("post_request_review", post.pk))


def test_a_public_post_without_findings_needs_nothing(editor: Client, settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(default_social_image_url="/card.png")
    PolicyPage.objects.create(kind="responsible_party", slug="imprint", title="Imprint", status="published")
    Category.objects.create(name="Soil", slug="soil", description="Earth.")
    post = save(
        title="Clean",
        body="Earth.",
        description="Said.",
        category="soil",
        author="Mina",
        provenance="human_written",
        publish=True,
    ).post
    declare(post)

    (row,) = listed(editor).rows

    assert (row.findings, row.step.text) == (0, "None")


@requirement("desk.list.filters")
def test_filters_by_state(editor: Client) -> None:
    save(title="Draft")
    save(title="Public", publish=True)
    remove(save(title="Archived", publish=True).post)
    schedule("Later", days=2)

    found = {state.value: titles(editor, status=state.value) for state in PostStatus}

    assert found == {"draft": ["Draft"], "scheduled": ["Later"], "published": ["Public"], "archived": ["Archived"]}
    assert titles(editor, status="bogus") == []
    assert len(titles(editor, status="", q="", author="")) == 4


@requirement("desk.list.filters")
def test_filters_by_schedule_the_soonest_first(editor: Client) -> None:
    schedule("In a week", days=7)
    schedule("Tomorrow", days=1)
    schedule("Yesterday", days=-1)

    assert titles(editor, scheduled="future") == ["Tomorrow", "In a week"]
    assert titles(editor, scheduled="due") == ["Yesterday"]
    assert titles(editor, scheduled="bogus") == []


@requirement("desk.list.filters")
def test_filters_by_what_waits_for_a_review(editor: Client) -> None:
    save(title="Mine", provenance="human_written")
    save(title="By AI", provenance="ai_assisted")
    ask_for_review(save(title="Asked", provenance="human_written").post)

    assert sorted(titles(editor, review="any")) == ["Asked", "By AI"]
    assert titles(editor, review="requested") == ["Asked"]
    assert titles(editor, review="ai_draft") == ["By AI"]
    assert titles(editor, review="bogus") == []
    assert "Review requested" in text_of(editor, review="requested")


@requirement("desk.list.filters")
def test_filters_by_author_and_category_by_slug_or_name(editor: Client) -> None:
    save(title="One", author="Mina Holt", category="Ships")
    save(title="Two", author="Rosa Quay", category="Gardens")

    assert titles(editor, author="mina-holt") == titles(editor, author="Mina Holt") == ["One"]
    assert titles(editor, category="gardens") == titles(editor, category=" Gardens ") == ["Two"]
    assert titles(editor, author="no-such-author") == titles(editor, category="a\0b", author="x") == []
    assert titles(editor, author="mina-holt", category="gardens") == []


def test_a_filter_suggests_the_first_names_only_and_still_finds_the_others(
    editor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk_lists, "MOST_NAMES", 2)
    for name in ("Zoe", "Mina", "Ada"):
        save(title=f"By {name}", author=name, category=f"About {name}")

    shown = editor.get(url("post_changelist")).content.decode()

    assert re.findall(r'<option value="((?:About )?(?:Ada|Mina|Zoe))"></option>', shown) == [
        *("Ada", "Mina", "About Ada", "About Mina")
    ]
    assert titles(editor, author="Zoe") == titles(editor, category="about-zoe") == ["By Zoe"]


@pytest.fixture
def labelled() -> list[Post]:
    """Posts with every way to a label."""
    posts = []
    for provenance in ("ai_assisted", "unknown", "human_written"):
        for is_public in (False, True):
            for is_approved in (False, True):
                words = f"{provenance} {is_public} {is_approved}"
                post = save(title=words, provenance=provenance, publish=is_public, body=words).post
                if is_approved:
                    approve(post)
                posts.append(post)
    changed = save(title="Changed", provenance="ai_assisted", publish=True).post
    approve(changed)
    update(changed, body="Other words.", change="substantive")
    unverified = save(title="Unverified", provenance="ai_assisted", body="![](https://nowhere.invalid/x.png)").post
    approve(unverified)
    return [*posts, changed, unverified]


@requirement("desk.list.filters")
@pytest.mark.parametrize("responsible", [False, True])
@pytest.mark.parametrize("ai_label", ["always", "when_required"])
def test_the_filter_by_label_agrees_with_the_label(
    editor: Client, labelled: list[Post], settings: Any, responsible: bool, ai_label: str
) -> None:
    settings.BLOG_ENGINE = blog_settings(ai_label=ai_label, policy_urls=...)
    if responsible:
        PolicyPage.objects.create(
            kind=PolicyKind.RESPONSIBLE_PARTY.value, slug="imprint", title="Imprint", status="published"
        )
    posts = posts_to_check([post.pk for post in labelled])
    wanted: dict[Label, set[int]] = {label: set() for label in Label}
    for post in posts:
        wanted[label_of(post, has_responsible_party=responsible)].add(post.pk)

    by_query = {
        label: set(
            posts_with_label(Post.objects.all(), label, has_responsible_party=responsible).values_list("pk", flat=True)
        )
        for label in Label
    }
    by_page = {label: {row.post.pk for row in listed(editor, label=label.value).rows} for label in Label}

    assert by_query == by_page == wanted
    assert titles(editor, label="bogus") == []


@requirement("desk.list.pages")
def test_a_list_by_label_turns_pages_and_works_the_labels_out_once(
    editor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(admin.site._registry[Post]), "list_per_page", 2)
    for number in range(5):
        save(title=f"Post {number}", provenance="ai_assisted", now=NOW + timedelta(minutes=number))
        save(title=f"By hand {number}", provenance="human_written")

    with CaptureQueriesContext(connection) as queries:
        found = listed(editor, label="ai_assisted", p=2)

    assert [row.post.title for row in found.rows] == ["Post 2", "Post 1"]
    assert (found.result_count, found.has_more, found.next_page) == (5, False, "?label=ai_assisted&p=3")
    assert len([one for one in queries if '"provenance" = ' in one["sql"]]) == 1


_NEWEST = ("-created_at", "-id")


@requirement("desk.list.pages")
@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("filters", "order"),
    [
        ({"author": 1}, _NEWEST),
        ({"category": 1}, _NEWEST),
        ({"author": 1, "category": 1}, _NEWEST),
        ({"author": 1, "category": 1, "status": "draft"}, _NEWEST),
        ({"review_reason": "changed", "status": "published"}, ("review_reason", "updated_at", "id")),
    ],
    ids=str,
)
def test_an_index_alone_answers_which_posts_a_filter_leaves(
    db: None, filters: dict[str, Any], order: tuple[str, ...]
) -> None:
    plan = Post.objects.filter(**filters).order_by(*order).values("pk")[:50].explain()

    assert "COVERING INDEX" in plan
    assert "TEMP B-TREE" not in plan


@requirement("desk.list.search")
def test_the_search_is_that_of_the_engine(editor: Client) -> None:
    save(title="Ferries at night", body="They leave at ten.")
    save(title="Gardens", body="A ferry passes.")
    save(title="Tides", provenance="ai_assisted", body="Nothing else.")

    assert titles(editor, q="ferry") == ["Ferries at night", "Gardens"]
    assert titles(editor, q="ferry", status="published") == []
    assert titles(editor, q="zeppelin") == []


@pytest.mark.parametrize(("words", "found"), [("ferry", 1), ("", 2), ("x", 0), ("zeppelin", 0)])
def test_a_field_of_a_host_that_completes_posts_searches_with_the_engine(words: str, found: int) -> None:
    save(title="Ferries at night")
    save(title="Gardens")

    posts, has_duplicates = admin.site._registry[Post].get_search_results(None, Post.objects.all(), words)

    assert (posts.count(), has_duplicates) == (found, False)


@requirement("desk.list.search")
@pytest.mark.parametrize("words", ["x", "x" * 101])
def test_words_that_cannot_be_searched_get_a_sentence(editor: Client, words: str) -> None:
    save(title="Ferries")

    assert titles(editor, q=words) == []
    assert "A search needs 2 to 100 characters." in text_of(editor, q=words)


def test_orders(editor: Client) -> None:
    for number, title in enumerate(["B", "C", "A"]):
        save(title=title, publish=True, now=NOW + timedelta(hours=number))

    assert titles(editor) == titles(editor, o="-created") == ["A", "C", "B"]
    assert titles(editor, o="created") == ["B", "C", "A"]
    assert titles(editor, o="title", status="published") == ["A", "B", "C"]
    assert titles(editor, o="-title", status="published") == ["C", "B", "A"]
    assert titles(editor, o="published", status="published") == ["B", "C", "A"]


@requirement("desk.list.pages")
def test_an_order_without_an_index_is_not_used(editor: Client, subtests: pytest.Subtests) -> None:
    for number, title in enumerate(["B", "C", "A"]):
        save(title=title, now=NOW + timedelta(hours=number))

    for order in ["title", "0", "-1.2", "body", "published", "bogus"]:
        with subtests.test(order=order):
            assert titles(editor, o=order) == ["A", "C", "B"]


@requirement("desk.list.pages")
def test_pages(editor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    own = admin.site._registry[Post]
    assert own.list_per_page == 50
    monkeypatch.setattr(type(own), "list_per_page", 5)
    for number in range(12):
        save(title=f"Post {number:02}", now=NOW + timedelta(minutes=number))

    second, last, past = listed(editor, p=2), listed(editor, p=3), listed(editor, p=99)

    assert [row.post.title for row in second.rows] == [f"Post {number:02}" for number in range(6, 1, -1)]
    assert [row.post.title for row in last.rows] == [row.post.title for row in past.rows]
    assert (len(last.rows), second.previous_page, second.next_page, last.next_page) == (2, "?p=1", "?p=3", "")
    assert "12 posts" in text_of(editor)
    assert listed(editor, p="x").page_num == 1


@requirement("desk.list.pages")
def test_a_list_ends_where_reading_on_would_cost_more_and_more(editor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (desk_lists, post_list):
        monkeypatch.setattr(module, "MOST_LISTED", 3)
    for number in range(5):
        save(title=f"Post {number}", now=NOW + timedelta(minutes=number))

    found = listed(editor)

    assert (found.result_count, found.has_more) == (3, True)
    assert "More than 3 posts" in text_of(editor)


def test_the_tabs_name_the_current_list(editor: Client) -> None:
    assert current_tabs(editor, status="draft") == ["Drafts"]
    assert current_tabs(editor, q="", status="") == ["All posts"]
    assert current_tabs(editor, status="draft", author="x") == []


def test_an_empty_blog_says_so(editor: Client) -> None:
    assert "No posts here." in text_of(editor)


def test_who_may_only_look_has_no_actions_and_no_link_to_write() -> None:
    save(title="The quay")
    shown = desk("view_post").get(url("post_changelist")).content.decode()

    assert "The quay" in shown
    assert "_selected_action" not in shown
    assert url("post_add") not in shown


@requirement("desk.list.filters")
def test_unknown_filters_lead_back_to_the_list(editor: Client) -> None:
    save(title="The quay")

    answer = editor.get(url("post_changelist"), {"body__contains": "x"}, follow=True)

    assert answer.redirect_chain == [(f"{url('post_changelist')}?e=1", 302)]


@pytest.fixture
def many() -> None:
    """More posts than a page, of all kinds, with links and images."""
    for number in range(55):
        fields: dict[str, Any] = {"body": f"[a](/blog/x{number}) [b](/blog/tag/y) ![](/blog/media/{'a' * 64}/x.png)"}
        fields |= {"faq": [{"question": f"Why {number}?", "answer": "So."}], "provenance": "ai_assisted"}
        made = save(title=f"Post {number}", author=f"Author {number}", category=f"Category {number}", **fields).post
        if number % 2:
            publish(made)


PAGES: list[dict[str, Any]] = [
    {},
    {"p": 2},
    {"status": "published", "o": "-published"},
    {"review": "any"},
    {"label": "ai_assisted"},
    {"author": "Author 54", "category": "category-54"},
]


@requirement("desk.queries", "desk.list")
def test_a_page_of_fifty_posts_takes_at_most_twelve_queries_and_reads_no_text(editor: Client, many: None) -> None:
    before = everything_stored()

    for query in PAGES:
        with CaptureQueriesContext(connection) as queries:
            assert listed(editor, **query).rows

        sent = [one["sql"] for one in queries]
        assert len(sent) <= MOST_QUERIES, sent
        for column in ('."body",', '"body_html"', '"search_text"', '"indexed_body"', '"payload"'):
            assert column not in " ".join(sent)
    assert everything_stored() == before


@requirement("desk.queries")
def test_a_search_takes_at_most_twelve_queries(editor: Client, many: None, monkeypatch: pytest.MonkeyPatch) -> None:
    filters: list[dict[str, Any]] = [{}, {"label": "ai_assisted"}, {"author": "Author 53", "status": "published"}]

    # With few entries to read, common words are looked up in another way.
    for most_entries in (search.MOST_ENTRIES, -1):
        monkeypatch.setattr(search, "MOST_ENTRIES", most_entries)
        for words in ("post", "post post's posts 53", '"post 53" pos', "post -nothing", "unheard of"):
            for chosen in filters:
                with CaptureQueriesContext(connection) as queries:
                    rows = listed(editor, q=words, **chosen).rows

                assert len(queries) <= MOST_QUERIES, [one["sql"] for one in queries]
                assert bool(rows) == (words != "unheard of")


def test_names_of_authors_and_categories_are_escaped(editor: Client) -> None:
    save(title="<b>x</b>", author='"><script>alert(1)</script>', category="<i>y</i>")

    shown = editor.get(url("post_changelist"), {"author": '"><script>x', "q": "<b>"}).content.decode()
    whole = editor.get(url("post_changelist")).content.decode()

    assert "<script>alert" not in shown + whole
    assert "<script>x" not in shown
    assert "<b>x</b>" not in whole
