"""Which pages are kept, which requests get them, and that they equal rendered ones."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import clear_script_prefix, set_script_prefix
from django.utils import timezone
from pytest_django import Settings

from blog_engine.enums import PolicyKind
from blog_engine.models import Category, PageView, PolicyPage, Post
from blog_engine.models.image import set_origin
from blog_engine.queries.previews import preview_token
from tests.requirements import requirement
from tests.support.databases import replayed
from tests.support.factories import LATER, NOW, approve, declare, make_series, save, store_image, update
from tests.support.hosts import Place, blog_settings
from tests.support.pages import FIREFOX, ask, kept_paths, rendered, total
from tests.support.tables import failing, insert_redirect

pytestmark = pytest.mark.django_db(transaction=True)


@replayed
def _publish_blog() -> Post:
    make_series(name="Tides", slug="tides")
    for number in range(3):
        save(title=f"Post {number}", body="Text.", category="Garden", tags=["soil"], series="tides", publish=True)
    faq = [{"question": "When?", "answer": "At ten."}]
    post = save(
        title="Quay", body="# One\n\nText.", category="Garden", tags=["soil", "sea"], faq=faq, publish=True
    ).post
    declare(post, connections=[{"party": "Quay Ltd", "relation": "customer"}])
    update(post, body="New.", change="correction", note="It left at ten.")
    approve(Post.objects.get(pk=post.pk))
    PolicyPage.objects.create(
        kind=PolicyKind.EDITORIAL,
        slug="editorial",
        title="Editorial",
        body_html="<p>Care.</p>",
        status="published",
        approved_by="Ada",
        approved_on=NOW.date(),
    )
    return post


@pytest.fixture(autouse=True)
def blog(transactional_db: None, settings: Settings) -> Post:
    """A blog with two pages of posts, and one article with everything that a page shows."""
    settings.BLOG_ENGINE = blog_settings(posts_per_page=2)
    return _publish_blog()


PAGES = [
    "/blog/",
    "/blog/?page=2",
    "/blog/quay",
    "/blog/quay.html",
    "/blog/quay?format=html",
    "/blog/quay.md",
    "/blog/quay?format=md",
    "/blog/category/garden",
    "/blog/category/garden?page=2",
    "/blog/tag/soil",
    "/blog/author/ada-example",
    "/blog/series/tides",
    "/blog/policies/editorial",
    "/blog/quay/history",
    "/blog/quay/history.json",
    "/blog/feed.xml",
    "/blog/feed.json",
    "/blog/category/garden/feed.xml",
    "/blog/tag/soil/feed.json",
    "/blog/author/ada-example/feed.xml",
    "/blog/series/tides/feed.json",
    "/blog/sitemap.xml",
    "/blog/llms.txt",
    "/blog/llms.txt?page=1",
    "/blog/llms-full.txt",
]


@requirement("page-cache.kept", "page-cache.equal")
def test_a_page_is_rendered_once_and_stays_the_same() -> None:
    for path in PAGES:
        fresh, head = rendered(path), rendered(path, method="head")

        first, again, again_head = ask(path), ask(path), ask(path, method="head")

        assert fresh.response.status_code == 200, path
        assert (first.was_kept, again.was_kept, again_head.was_kept) == (False, True, True), path
        assert fresh.whole == first.whole == again.whole, path
        assert head.whole == again_head.whole, path


@requirement("page-cache.conditions")
@pytest.mark.parametrize(
    "paths",
    [
        ["/blog/", "/blog/quay", "/blog/quay.md", "/blog/feed.xml", "/blog/sitemap.xml"],
        pytest.param(PAGES, marks=pytest.mark.heavy),
    ],
    ids=["some", "all"],
)
def test_a_reader_who_has_the_page_gets_a_304_from_memory(paths: list[str]) -> None:
    for path in paths:
        tag = rendered(path).response["ETag"]
        conditions = [
            {"if-none-match": tag},
            {"if-none-match": f'"other", {tag}'},
            {"if-none-match": "*"},
            {"if-none-match": '"other"'},
            {"if-match": '"other"'},
            {"if-modified-since": "Sat, 01 Jan 2033 00:00:00 GMT"},
            {"if-modified-since": "Sat, 01 Jan 2000 00:00:00 GMT"},
        ]
        expected = [rendered(path, headers=condition).whole for condition in conditions]

        # The first one renders the page, which is kept although the answer is a 304.
        first = ask(path, headers=conditions[0])
        found = [ask(path, headers=condition) for condition in conditions]

        assert (first.response.status_code, first.was_kept) == (304, False), path
        assert all(one.was_kept for one in found), path
        assert [one.whole for one in found] == expected, path


NOT_KEPT = [
    "/blog/search",
    "/blog/search?q=post",
    "/blog/search.json?q=post",
    "/blog/missing",
    "/blog/?page=9",
    "/blog/quay?format=pdf",
    "/blog/?utm_source=letter",
    "/blog/quay?utm_source=letter",
    "/blog/quay?format=html&format=md",
    "/blog/feed.xml?page=2",
    "/blog/sitemap-1.xml",
    "/blog/old",
]


@requirement("page-cache.kept")
def test_other_answers_are_not_kept() -> None:
    insert_redirect("/blog/old", "/blog/quay")
    for path in NOT_KEPT:
        answers = [ask(path) for _ in range(3)]

        assert kept_paths() == set(), path
        assert [one.whole for one in answers] == [rendered(path).whole] * 3, path


@requirement("page-cache.kept")
def test_previews_are_not_kept() -> None:
    draft = save(title="Draft").post
    path = f"/blog/preview/{preview_token(draft, now=LATER).token}"

    answers = [ask(path) for _ in range(3)]

    assert {one.response.status_code for one in answers} == {200}
    assert kept_paths() == set()


@requirement("page-cache.anonymous")
@pytest.mark.parametrize(
    "sent",
    [
        {"headers": {"cookie": "a=b"}},
        {"headers": {"authorization": "Basic YTpi"}},
        {"REMOTE_USER": "ada"},
    ],
    ids=["cookie", "authorization", "remote user"],
)
def test_a_request_that_names_its_caller_is_rendered(sent: dict[str, Any]) -> None:
    named = ask("/blog/quay", **sent)
    anonymous = ask("/blog/quay")
    again = ask("/blog/quay", **sent)

    assert (named.was_kept, anonymous.was_kept, again.was_kept) == (False, False, False)
    assert ask("/blog/quay").was_kept


def signs_in(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """A middleware of a host that knows the caller by a header of its own."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if "X-Ticket" in request.headers:
            request.user = type("Known", (), {"is_authenticated": True, "is_staff": True})()  # type: ignore[assignment]
        return get_response(request)

    return middleware


def reads_session(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """A middleware of a host that looks into the session."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if "X-Look" in request.headers:
            request.session.get("basket")
        return get_response(request)

    return middleware


@requirement("page-cache.anonymous")
@pytest.mark.parametrize(
    ("middleware", "header"), [(signs_in, "X-Ticket"), (reads_session, "X-Look")], ids=["user", "session"]
)
def test_a_caller_whom_a_middleware_knows_gets_a_rendered_page(
    settings: Settings, middleware: Callable[..., Any], header: str
) -> None:
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, f"{__name__}.{middleware.__name__}"]
    ask("/blog/quay")

    assert not ask("/blog/quay", headers={header: "yes"}).was_kept
    assert ask("/blog/quay").was_kept


@requirement("page-cache.methods")
@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "options"])
def test_other_methods_are_refused(method: str) -> None:
    ask("/blog/quay")

    assert ask("/blog/quay", method=method).response.status_code == 405


@requirement("page-cache.views")
def test_the_view_of_a_kept_page_is_counted() -> None:
    path, sent = "/blog/quay", {"user-agent": FIREFOX}
    tag = Client().get(path, headers=sent)["ETag"]

    Client().get(path, headers=sent)
    Client().get(path, headers=sent | {"if-none-match": tag})
    Client().head(path, headers=sent)
    Client().get(path, headers={"user-agent": "Googlebot"})
    Client().get(f"{path}?format=md", headers=sent)

    assert total() == 3
    assert PageView.objects.get().post.slug == "quay"


@requirement("page-cache.queries")
def test_a_kept_page_takes_one_query() -> None:
    ask("/blog/quay")
    with CaptureQueriesContext(connection) as queries:
        Client().get("/blog/quay")

    assert [query["sql"] for query in queries] == ['SELECT version FROM "blog_engine_contentversion" WHERE id = 1']


def test_a_kept_page_is_not_sent_while_the_database_cannot_be_read() -> None:
    ask("/blog/quay")

    with failing(table="blog_engine_"):
        response = ask("/blog/quay").response

    assert (response.status_code, response["Cache-Control"]) == (503, "no-store")


@requirement("page-cache.key")
def test_each_place_has_its_own_pages(place: Place) -> None:
    first, again = place.get("/quay"), place.get("/quay")

    assert first.content == again.content
    assert f'{place.prefix}/quay"'.encode() in again.content


@requirement("page-cache.key")
def test_each_script_name_has_its_own_pages() -> None:
    plain = ask("/blog/quay").response.content
    set_script_prefix("/sub/")
    try:
        below = [ask("/blog/quay").response.content for _ in range(2)]
    finally:
        clear_script_prefix()

    assert b"/sub/blog/quay" in below[0]
    assert b"/sub/blog/quay" not in plain
    assert below[0] == below[1]
    assert ask("/blog/quay").response.content == plain


@requirement("page-cache.key")
def test_each_origin_has_its_own_pages(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url=...)
    sent: list[dict[str, Any]] = [
        {"headers": {"host": "example.com"}},
        {"headers": {"host": "localhost"}},
        {"headers": {"host": "example.com"}, "secure": True},
    ]

    first, again = [[ask("/blog/quay", **one) for one in sent] for _ in range(2)]

    assert [one.was_kept for one in [*first, *again]] == [False] * 3 + [True] * 3
    assert [one.whole for one in first] == [one.whole for one in again]
    assert len({one.response.content for one in first}) == 3
    assert ask("/blog/quay", headers={"host": "evil.example"}).response.status_code == 400


def in_tokyo(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """A middleware of a host that shows each reader their own time."""

    def middleware(request: HttpRequest) -> HttpResponse:
        with timezone.override("Asia/Tokyo" if "X-Tokyo" in request.headers else None):
            return get_response(request)

    return middleware


@requirement("page-cache.key")
def test_each_time_zone_has_its_own_pages(settings: Settings) -> None:
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, f"{__name__}.in_tokyo"]
    here, there = ({}, {"headers": {"x-tokyo": "yes"}})

    first = [ask("/blog/quay", **one).response.content for one in (here, there)]
    again = [ask("/blog/quay", **one) for one in (here, there)]

    assert all(one.was_kept for one in again)
    assert [one.response.content for one in again] == first
    assert first[0] != first[1]


@requirement("page-cache.key")
def test_a_changed_setting_shows_at_once(settings: Settings) -> None:
    ask("/blog/quay")
    settings.BLOG_ENGINE = blog_settings(locale="de")
    german = ask("/blog/quay").response
    settings.BLOG_ENGINE = blog_settings(locale="en", site_name="Quay Weekly")
    english = ask("/blog/quay").response
    settings.TIME_ZONE = "Asia/Tokyo"
    moved = ask("/blog/quay").response

    assert (german["Content-Language"], english["Content-Language"]) == ("de", "en")
    assert b"Quay Weekly" in english.content
    assert b"+09:00" in moved.content


@requirement("page-cache.version.transactions")
def test_an_open_transaction_sees_its_own_writes() -> None:
    kept = ask("/blog/category/garden").response.content
    with transaction.atomic():
        Category.objects.update(name="Yard")
        inside = [ask("/blog/category/garden").response.content for _ in range(2)]
        transaction.set_rollback(True)

    assert b"Yard" in inside[0]
    assert inside[0] == inside[1]
    assert ask("/blog/category/garden").response.content == kept


@requirement("page-cache.fresh", "images.notes.changed", "pages.structured-data.policies", "label.disclosure")
@pytest.mark.usefixtures("storage")
def test_what_machines_and_captions_tell_shows_at_once() -> None:
    image = store_image()
    save(title="Pier", body=f"![A]({image.url})", provenance="ai_assisted", publish=True)
    changes: dict[str, Callable[[], object]] = {
        "Image made with AI": lambda: transaction.atomic(set_origin)(
            image, digital_source_type="trainedAlgorithmicMedia"
        ),
        'content="ai-assisted"': lambda: approve(Post.objects.get(slug="pier")),
        "policies/editorial": lambda: PolicyPage.objects.update(status="published"),
    }
    PolicyPage.objects.update(status="draft")

    for told, change in changes.items():
        before = [ask("/blog/pier") for _ in range(2)][1]
        change()
        after = ask("/blog/pier")

        assert (before.was_kept, after.was_kept) == (True, False), told
        assert [told in one.response.content.decode() for one in (before, after)] == [False, True], told
        assert ask("/blog/pier").response.content == rendered("/blog/pier").response.content


@requirement("page-cache.version", "page-cache.equal")
def test_a_draft_that_is_saved_again_and_again_leaves_pages_kept() -> None:
    draft = save(title="Next week", body="Text.", category="Garden", tags=["soil"], series="tides").post
    for path in PAGES:
        ask(path)

    for body in ("Text, and more.", "Text, and more of it."):
        update(draft, body=body)

    kept = {path: ask(path) for path in PAGES}
    assert all(one.was_kept for one in kept.values())
    for path, one in kept.items():
        assert one.response.content == rendered(path).response.content, path
