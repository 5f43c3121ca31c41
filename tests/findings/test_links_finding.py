"""The finding ``link_same_site_broken``."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from urllib.parse import quote

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import clear_script_prefix, include, path, set_script_prefix
from django.views.generic import View
from pytest_django import Settings

from blog_engine.findings import FINDINGS, Finding, Subject, WriteContext, findings_of
from blog_engine.findings.base import MOST_LINKS, each
from blog_engine.models import Image, PolicyPage, Post
from blog_engine.queries.posts import read_post
from blog_engine.queries.previews import preview_token
from tests.requirements import requirement
from tests.support.factories import (
    NOW,
    make_author,
    make_category,
    make_series,
    publish,
    remove,
    save,
    unpublish,
    update,
)
from tests.support.hosts import blog_settings
from tests.support.tables import everything_stored, insert_redirect

pytestmark = pytest.mark.django_db

DIGEST = "ab" * 32


@pytest.fixture
def blog() -> None:
    """Store one record of each kind that a link can lead to."""
    save(slug="soil", tags=["Earth"], publish=True)
    save(slug="draft")
    unpublish(save(slug="withdrawn", publish=True).post)
    remove(save(slug="removed", publish=True).post)
    update(save(slug="before", publish=True).post, slug="after")
    make_category(name="Garden")
    make_author(name="Mina Holt")
    make_series(name="Tides")
    policy("corrections", "corrections", status="published")
    policy("editorial", "editorial-policy", status="draft")
    insert_redirect("/blog/old.html", "/blog/soil")
    insert_redirect("/blog/notes.md", "/blog/soil")
    insert_redirect("/blog/tag/lost")
    insert_redirect("/blog/press/kit.pdf", "/kit.pdf")
    insert_redirect(f"/blog/media/{'ef' * 32}/old.png", "/logo.png")
    Image(
        sha256=DIGEST, filename="a.png", content_type="image/png", byte_size=1, width=1, height=1, created_at=NOW
    ).save()


def policy(kind: str, slug: str, *, status: str) -> None:
    PolicyPage.objects.create(kind=kind, slug=slug, title=kind, body="Text.", status=status)


def post_with(*links: str) -> Post:
    """Return the draft at ``/blog/here`` with these links in its body."""
    post = read_post((Post.objects.filter(slug="here").first() or save(slug="here").post).pk)
    post.body_facts = {"links": list(links)}
    return post


def broken_in(post: Post, *, now: datetime = NOW) -> list[str | None]:
    subject = Subject(post=post, write=WriteContext(), has_responsible_party=True, now=now)
    return [finding.location for finding in each(FINDINGS["link_same_site_broken"](subject))]


def broken(*links: str) -> list[str | None]:
    return broken_in(post_with(*links))


ALWAYS_SERVED = [
    *("/blog", "/blog/", "/blog/?page=2", "/blog/#top", "/blog/?format=html", ".", "./", "https://example.com/blog"),
    *("/blog/feed.xml", "/blog/feed.json", "/blog/search", "/blog/search/", "/blog/search?q=soil", "/blog/search.html"),
    *("/blog/search.json?q=a", "/blog/search?format=json", "/blog/sitemap.xml"),
]
SERVED_BY_A_RECORD = [
    *("/blog/soil", "/blog/soil/", "/blog/soil#roots", "/blog/soil?x=y", "/blog/soil.md", "/blog/soil.html"),
    *("/blog/soil?format=md", "/blog/soil?format=html&format=md", "soil", "./soil", "../blog/soil", "/blog/x/../soil"),
    *(
        "/blog/s%6Fil",
        "/blog/%2e%2e/blog/soil",
        "//example.com/blog/soil",
        "https://example.com/blog/soil",
        "/blog%2Fsoil",
    ),
    *("https://EXAMPLE.com:443/blog/soil", "HTTPS://example.com/blog/soil", "https://example.com/a/../blog/soil"),
    *(" /blog/soil ", "\\blog\\soil", "https://user@example.com/blog/soil", "https:soil"),
    *("/blog/withdrawn", "/blog/removed", "/blog/removed.md", "/blog/removed.html", "/blog/before", "/blog/after"),
    *("/blog/notes.md", "/blog/tag/lost", "/blog/tag/lost/", "/blog/press/kit.pdf", "/blog/press/kit%2Epdf"),
    *("/blog/category/garden", "/blog/category/garden/", "/blog/category/garden?page=3", "category/garden"),
    *("/blog/tag/earth", "/blog/author/mina-holt", "/blog/series/tides", "/blog/category/garden?format=html"),
    *("/blog/category/garden/feed.xml", "/blog/category/garden/feed.json", "/blog/tag/earth/feed.xml"),
    *("/blog/author/mina-holt/feed.json", "/blog/series/tides/feed.xml"),
    *("/blog/category/garden.html", "/blog/tag/lost.html"),
    *("/blog/policies/corrections", "/blog/policies/corrections/"),
    *(f"/blog/media/{DIGEST}/a.png", f"/blog/media/{DIGEST}/other%20name.jpg"),
    f"/blog/media/{'ef' * 32}/old.png",
]
BROKEN = [
    *("/blog/?format=json", "/blog/index.html", "/blog//soil", "/blog/soil.json", "/blog/soil.", "/blog/soil.md.html"),
    *("/blog/soil?format=json", "/blog/soil?format=", "/blog/Soil", "/blog/nothing", "nothing", "/blog/nothing.md"),
    *("/blog/draft", "/blog/draft.md", "/blog/here", "here", "https://example.com/blog/nothing", "/blog/soil/more"),
    *("/blog/removed?format=json", "/blog/old.html", "/blog/notes.html", "/blog/a%00b", "/blog/%FF", "/blog/été"),
    *("/blog/category/lost", "/blog/category/Garden", "/blog/category/a%00b", "/blog/topic/garden"),
    *("/blog/category/earth", "/blog/tag/garden", "/blog/category/lost.html", "/blog/category/garden?format=json"),
    *("/blog/category/lost/feed.xml", "/blog/category/garden/feed", "/blog/feed", "/blog/feed.atom"),
    *("/blog/search.xml", "/blog/search?format=xml", "/blog/sitemap", "/blog/apiary", "/blog/mcp-guide"),
    *(
        "/blog/policies/editorial-policy",
        "/blog/policies/lost",
        "/blog/policies/a%00b",
        "/blog/policies/corrections?format=json",
    ),
    *(
        f"/blog/media/{'cd' * 32}/a.png",
        f"/blog/media/{DIGEST.upper()}/a.png",
        f"/blog/media/{DIGEST}/",
        f"/blog/media/{DIGEST}//",
    ),
    *("/blog/media/x/y", "/blog/preview/x", "/blog/preview/", "/blog/preview/a%00b:c", "/blog/preview/x:y"),
]
IGNORED = [
    *("", " ", "#", "#top", "?page=2#roots", "mailto:a@b.example", "tel:1", "javascript:x", "data:,x", "http://["),
    *("/", "/about", "/blogger", "/blogger/nothing", "/blog.html", "..", "../nothing", "../../nothing", "/x/blog/y"),
    *("https://other.example/blog/nothing", "//other.example/blog/nothing", "http://example.com/blog/nothing"),
    *("https://example.com:444/blog/nothing", "https://www.example.com/blog/nothing", "https://example.com/about"),
    *("https://example.com", "ftp://example.com/blog/nothing", "https://example.com:x/blog/nothing"),
    *("/blog/api", "/blog/api/v1/nothing", "/blog/mcp", "/blog/mcp/x", "/blog/../nothing", "/blog/%2E%2E/nothing"),
]


@requirement("findings.links")
@pytest.mark.usefixtures("blog")
def test_links_that_lead_somewhere_are_fine() -> None:
    assert broken(*ALWAYS_SERVED, *SERVED_BY_A_RECORD) == []


@requirement("findings.links")
def test_links_to_records_that_there_are_not_are_found() -> None:
    assert broken(*ALWAYS_SERVED, *SERVED_BY_A_RECORD) == SERVED_BY_A_RECORD


@requirement("findings.links")
@pytest.mark.usefixtures("blog")
def test_each_link_that_leads_nowhere_is_found_by_its_address_in_order() -> None:
    assert broken(*BROKEN) == BROKEN


@requirement("findings.links.ignored")
@pytest.mark.usefixtures("blog")
def test_links_out_of_the_blog_are_not_even_looked_up() -> None:
    post = post_with(*IGNORED)

    with CaptureQueriesContext(connection) as queries:
        assert broken_in(post) == []

    assert len(queries) == 0


@requirement("findings.links.own")
def test_a_post_may_link_itself_once_it_is_public() -> None:
    publish(post_with("here"))

    assert broken("here", "/blog/here") == []


@requirement("findings.links.ignored")
def test_without_a_base_only_links_that_name_no_site_are_looked_at(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url=None)

    assert broken("https://example.com/blog/x", "//example.com/blog/x", "https:x", "/blog/x", "x") == ["/blog/x", "x"]


@requirement("findings.links.previews")
def test_a_preview_is_served_while_its_token_is_right() -> None:
    public, draft, archived = (save(slug=slug).post for slug in ("public", "draft", "archived"))
    links = [f"/blog/preview/{quote(token_of(post), safe='')}" for post in (public, draft, archived)]
    publish(public)
    publish(archived)
    remove(archived)

    assert broken(*links, f"{links[1]}/", f"{links[1]}x") == [links[2], f"{links[1]}x"]

    update(draft, title="Another text")

    assert broken(*links) == links[1:]
    assert broken_in(post_with(links[0]), now=NOW + timedelta(days=7)) == links[:1]


@requirement("findings.links.previews")
def test_the_advice_after_a_write_is_that_of_its_time() -> None:
    link = f"/blog/preview/{quote(token_of(save(slug='draft').post), safe='')}"
    post = save(slug="here", body=f"[a]({link})").post

    written = [update(post, now=now) for now in (NOW, NOW + timedelta(days=7))]

    assert [link in [finding.location for finding in one.findings] for one in written] == [False, True]


def token_of(post: Post) -> str:
    issued = preview_token(post, now=NOW)
    assert issued is not None
    return issued.token


@pytest.mark.usefixtures("blog")
def test_settings_decide_about_policies_sitemap_and_segments(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(
        policy_urls={"corrections": "/fixes"}, serve_sitemap=False, route_segments={"category": "topic"}
    )
    links = [
        "/blog/policies/corrections",
        "/blog/sitemap.xml",
        "/blog/category/garden",
        "/blog/category/garden/feed.xml",
    ]

    assert broken(*links, "/blog/topic/garden", "/blog/topic/garden/feed.json") == links


@pytest.fixture
def behind_a_prefix() -> Iterator[None]:
    set_script_prefix("/sub/")
    yield
    clear_script_prefix()


@requirement("findings.links.mount")
@pytest.mark.usefixtures("blog", "behind_a_prefix")
def test_links_below_a_prefix_are_those_that_browsers_ask_for() -> None:
    links = ["/sub/blog/soil", "soil", "/sub/blog/before", "/sub/blog/press/kit.pdf", "/sub/blog/", "/blog/x", "/sub/x"]

    assert broken(*links, "/sub/blog/nothing", "nothing") == ["/sub/blog/nothing", "nothing"]


@requirement("findings.links.mount")
@pytest.mark.parametrize("mount", ["press/journal", "café"])
def test_any_mount_is_known(settings: Settings, mount: str) -> None:
    settings.ROOT_URLCONF = (path(f"{mount}/", include("blog_engine.urls")),)
    save(slug="soil", publish=True)
    links = [f"/{mount}/soil", "soil", f"/{mount}", f"/{quote(mount)}/soil", "/blog/x", "/press/x"]
    nowhere = [*dict.fromkeys([f"/{mount}/x", f"/{quote(mount)}/x"])]

    assert broken(*links, *nowhere) == nowhere


@requirement("findings.links.host")
def test_below_a_mount_at_the_root_the_hosts_own_pages_are_fine(settings: Settings) -> None:
    settings.ROOT_URLCONF = (path("about", View.as_view()), path("", include("blog_engine.urls")))
    save(slug="soil", publish=True)

    assert broken("/", "/soil", "/about", "/about?x=y", "/nothing", "/about/more") == ["/nothing", "/about/more"]


@requirement("findings.queries")
def test_the_links_are_looked_up_in_one_query_however_many() -> None:
    kinds = ["x", "category/x", "tag/x", "author/x", "series/x", "policies/x", f"media/{DIGEST}/x"]
    few = post_with(*kinds)
    many = post_with(*(f"{kind.removesuffix('x')}{number}" for kind in kinds for number in range(100)))

    assert (_queries(few), _queries(many)) == (1, 1)


def _queries(post: Post) -> int:
    with CaptureQueriesContext(connection) as queries:
        broken_in(post)
    return len(queries)


@requirement("findings.links.many")
def test_a_body_with_very_many_links_is_looked_at_in_part() -> None:
    links = [f"/blog/{number}" for number in range(40_000)]

    assert broken(*links) == links[:MOST_LINKS]


@requirement("findings.links")
def test_the_advice_is_given_after_each_write_and_on_request_and_writes_nothing() -> None:
    written = save(slug="here", body="[a](/blog/here) [b](nothing) [c](/blog/nothing?x) [d](nothing)")
    wanted = [("T14", link) for link in ("/blog/here", "nothing", "/blog/nothing?x")]
    before = everything_stored()

    assert [(one.rule, one.location) for one in written.findings if one.code == "link_same_site_broken"] == wanted
    found = findings_of(read_post(written.post.pk), has_responsible_party=True, now=NOW)
    assert [(one.rule, one.location) for one in found[-3:]] == wanted
    assert everything_stored() == before
    assert publish(written.post).findings[-1].location == "/blog/nothing?x"


@requirement("findings.registry")
def test_a_check_may_give_one_finding_several_or_none(monkeypatch: pytest.MonkeyPatch) -> None:
    post = post_with()
    one, two = (Finding(f"note_{number}", None, "A note.", None) for number in range(2))
    given = {"a": one, "b": None, "c": [], "d": (two, one), "e": iter([two])}
    registry = {name: lambda subject, found=found: found for name, found in given.items()}
    monkeypatch.setattr("blog_engine.findings.checks.FINDINGS", registry)

    assert findings_of(post, has_responsible_party=True, now=NOW) == [one, two, one, two]
