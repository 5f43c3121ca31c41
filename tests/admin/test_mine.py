"""What is a person's own: the byline, the start page, the filters, and what no one else learns of it."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.exporting.tables import Table
from blog_engine.inputs.base import parse
from blog_engine.inputs.conversation import RequestReview, ReturnReview
from blog_engine.inputs.records import CreateAuthor
from blog_engine.models import Author, Post
from blog_engine.queries import people
from blog_engine.queries.start_page import own_work
from tests.admin.desk import (
    EDITOR,
    WRITER,
    desk,
    faults,
    logged,
    nothing_written,
    opened,
    page_of,
    save_post,
    send,
    sent,
    stored,
    text_of,
    url,
)
from tests.requirements import requirement
from tests.support.clients import client_with
from tests.support.factories import AGENT, NOW, make_author, save, update
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(hours=2)


def actor_of(client: Client) -> Actor:
    """The person who is signed in, as the desk calls services."""
    user = get_user_model().objects.get(pk=client.session["_auth_user_id"])
    return Actor(user.get_full_name(), id=f"user:{user.pk}")


def user_of(client: Client) -> Any:
    return get_user_model().objects.get(pk=client.session["_auth_user_id"])


def byline_of(client: Client, name: str) -> Author:
    """Let the author of this name belong to the person."""
    return services.take_byline(parse(CreateAuthor, {"name": name}), actor=actor_of(client), now=NOW)


def request_review(post: Post, *, by: Actor, person: Any = "") -> Post:
    data = RequestReview(id=str(post.pk), note="The numbers, please.", person=str(person))
    return services.request_review(data, actor=by, now=NOW).post


def send_back(post: Post, *, by: Actor) -> None:
    services.return_review(ReturnReview(id=str(post.pk), note="A source, please."), actor=by, now=LATER)


def titles(client: Client, **query: Any) -> list[str]:
    answer = client.get(url("post_changelist"), query)
    assert answer.status_code == 200
    return [row.post.title for row in answer.context["cl"].rows]


# An author and a user


@requirement("desk.mine")
def test_a_user_is_set_on_the_page_of_an_author(editor: Client, writer: Client) -> None:
    mina = make_author(name="Mina Holt")

    sent(editor, "author_change", mina.pk, name="Mina Holt", slug=mina.slug, type="person", user="wanda.writer")

    assert Author.objects.get(pk=mina.pk).user == user_of(writer)
    assert 'value="wanda.writer"' in page_of(editor, "author_change", mina.pk)
    assert logged() == [(2, "Mina Holt")]
    sent(editor, "author_change", mina.pk, name="Mina Holt", slug=mina.slug, type="person", user="")
    assert Author.objects.get(pk=mina.pk).user is None


@requirement("desk.mine")
def test_a_new_author_gets_a_user(editor: Client, writer: Client) -> None:
    sent(editor, "author_add", name="Wanda", slug="", type="person", user="wanda.writer")

    assert Author.objects.get(name="Wanda").user == user_of(writer)


@requirement("desk.mine")
def test_a_user_is_one_author(editor: Client, writer: Client) -> None:
    byline_of(writer, "Wanda Writer")
    mina = make_author(name="Mina Holt")

    with nothing_written():
        answer = sent(editor, "author_change", mina.pk, name="Mina", slug=mina.slug, type="person", user="wanda.writer")

    assert faults(answer) == ["user"]
    assert "Another author belongs to this user." in text_of(answer)


@pytest.mark.parametrize("name", ["no.one", "Wanda Writer", "1' OR '1'='1", "\x00"])
def test_a_user_who_does_not_exist_is_a_fault(editor: Client, writer: Client, name: str) -> None:
    mina = make_author(name="Mina Holt")

    with nothing_written():
        answer = sent(editor, "author_change", mina.pk, name="Mina Holt", slug=mina.slug, type="person", user=name)

    assert faults(answer) == ["user"]


@requirement("desk.mine")
def test_the_form_of_an_author_lists_few_users(editor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "MOST_USERS", 3)
    for number in range(9):
        get_user_model().objects.create_user(f"u{number}", is_staff=number != 0)

    page = page_of(editor, "author_change", make_author(name="Mina Holt").pk)

    assert [f'<option value="{name}">' in page for name in ("ed.editor", "u0", "u1", "u2", "u3")] == [
        *(True, False, True, True, False)
    ]


class ElsewhereRouter:
    """Users are in a database that has no tables of the blog."""

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool | None:
        return False if app_label == "blog_engine" else None

    def db_for_write(self, model: type[Model], **hints: Any) -> str | None:
        return "default" if model._meta.app_label == "blog_engine" else None


@requirement("desk.mine")
@pytest.mark.parametrize("routers", [[], ["tests.admin.test_mine.ElsewhereRouter"]], ids=["one database", "two"])
def test_an_author_stays_when_the_user_is_deleted(writer: Client, settings: Any, routers: list[str]) -> None:
    wanda, other = byline_of(writer, "Wanda Writer"), byline_of(desk(*WRITER, name="Olga Other"), "Olga Other")

    settings.DATABASE_ROUTERS = routers
    user_of(writer).delete()

    assert Author.objects.get(pk=wanda.pk).user_id is None
    assert Author.objects.get(pk=other.pk).user_id is not None


# The byline of a person


@requirement("desk.mine")
def test_a_writer_takes_a_byline_of_her_own(writer: Client) -> None:
    assert 'value="Wanda Writer"' in page_of(writer, "post_byline")

    answer = sent(writer, "post_byline", name="Wanda W.")

    assert answer["Location"] == reverse("admin:index")
    assert Author.objects.get(name="Wanda W.").user == user_of(writer)
    assert "Your new posts are by “Wanda W.”" in text_of(writer.get(url("post_byline")))
    with nothing_written():
        again = sent(writer, "post_byline", name="Somebody new")
    assert faults(again) == ["__all__"]


@requirement("desk.mine")
def test_an_author_of_no_user_is_taken(writer: Client) -> None:
    mina = make_author(name="Mina Holt")

    sent(writer, "post_byline", name="Mina Holt")

    assert [(one.pk, one.user_id) for one in Author.objects.filter(name="Mina Holt")] == [(mina.pk, user_of(writer).pk)]


@requirement("desk.mine")
def test_the_author_of_somebody_else_stays_with_him(writer: Client) -> None:
    byline_of(desk(*WRITER, name="Olga Other"), "Olga Other")

    with nothing_written():
        answer = sent(writer, "post_byline", name="Olga Other")

    assert faults(answer) == ["name"]


@requirement("desk.mine.byline")
def test_a_new_post_has_the_byline_of_the_person(writer: Client) -> None:
    wanda = byline_of(writer, "Wanda Writer")
    assert opened(writer)["author"] == ["Wanda Writer"]

    save_post(writer, title="Night boats")

    post = Post.objects.get()
    assert (post.author, post.author_name) == (wanda, "Wanda Writer")


@requirement("desk.mine.byline")
def test_a_draft_without_a_title_has_it_too(writer: Client) -> None:
    wanda = byline_of(writer, "Wanda Writer")

    answer = send(writer, url("post_autosave_new"), opened(writer), body="The boats sail at night.")

    assert answer.json()["state"] == "saved"
    assert answer.json()["values"]["author"] == "Wanda Writer"
    assert Post.objects.get().author == wanda


@requirement("desk.mine.byline")
def test_of_two_authors_of_one_name_it_is_the_person_s(writer: Client) -> None:
    Author.objects.create(name="Wanda Writer", slug="first", user=user_of(desk(*WRITER, name="Olga Other")))
    mine = Author.objects.create(name="Wanda Writer", slug="second", user=user_of(writer))

    save_post(writer, title="Night boats")

    assert Post.objects.get().author == mine


@requirement("desk.mine.byline")
@pytest.mark.parametrize(("entered", "byline"), [("Mina Holt", "Mina Holt"), ("", "Ada Example")])
def test_another_author_can_be_entered(writer: Client, entered: str, byline: str) -> None:
    byline_of(writer, "Wanda Writer")

    save_post(writer, title="Night boats", author=entered)

    assert Post.objects.get().author_name == byline


@requirement("desk.mine.byline")
def test_without_an_author_it_is_that_of_the_blog(writer: Client) -> None:
    save_post(writer, title="Night boats")

    assert Post.objects.get().author_name == "Ada Example"
    assert opened(writer)["author"] == [""]


@requirement("desk.mine.byline")
def test_a_stored_post_keeps_its_byline(writer: Client) -> None:
    byline_of(writer, "Wanda Writer")
    post = save(author="Mina Holt").post

    save_post(writer, post.pk, title="Another title")

    assert stored(post).author_name == "Mina Holt"


# Lists


@requirement("desk.mine", "desk.list.filters")
def test_the_list_shows_what_is_mine(writer: Client) -> None:
    byline_of(writer, "Wanda Writer")
    save(title="Of another", author="Mina Holt")
    save(title="By my name", author="Wanda Writer", publish=True)
    save_post(writer, title="For Mina", author="Mina Holt")
    update(Post.objects.get(title="For Mina"), title="For Mina Holt", actor=AGENT)

    assert sorted(titles(writer, mine="yes")) == ["By my name", "For Mina Holt"]
    assert titles(writer, mine="yes", status="draft") == ["For Mina Holt"]
    assert titles(writer, mine="yes", q="name") == ["By my name"]
    assert titles(writer, mine="no") == []
    assert titles(desk(*WRITER, name="Olga Other"), mine="yes") == []


@requirement("desk.mine", "desk.list.filters")
def test_the_queue_shows_what_concerns_me(writer: Client, editor: Client) -> None:
    byline_of(writer, "Wanda Writer")
    olga = actor_of(desk(*WRITER, name="Olga Other"))
    request_review(save(title="My boats", author="Wanda Writer").post, by=actor_of(writer))
    request_review(save(title="Of Olga").post, by=olga)
    request_review(save(title="Asked of Ed").post, by=olga, person=user_of(editor).pk)

    def queue(client: Client, **query: str) -> list[str]:
        answer = client.get(url("post_queue"), query)
        return [post.title for post in answer.context["queue"].posts]

    assert queue(editor) == ["My boats", "Of Olga", "Asked of Ed"]
    assert queue(writer, mine="yes") == ["My boats"]
    assert queue(editor, mine="yes") == ["Asked of Ed"]
    assert "Review requested (1)" in text_of(editor.get(url("post_queue"), {"mine": "yes"}))


@requirement("desk.list.filters")
def test_posts_that_were_sent_back_are_a_filter(writer: Client, editor: Client) -> None:
    post = request_review(save(title="My boats").post, by=actor_of(writer))
    save(title="Another")
    send_back(post, by=actor_of(editor))

    assert titles(writer, review="returned") == ["My boats"]
    (row,) = writer.get(url("post_changelist"), {"review": "returned"}).context["cl"].rows
    assert row.review == "Sent back"


# The start page


@requirement("desk.waiting")
def test_the_start_page_begins_with_a_person_s_own(writer: Client, editor: Client) -> None:
    byline_of(writer, "Wanda Writer")
    draft = save(title="Night boats", author="Wanda Writer").post
    save(title="Somebody else's")
    back = request_review(save(title="Sent", author="Wanda Writer").post, by=actor_of(writer))
    send_back(back, by=actor_of(editor))

    page = writer.get(reverse("admin:index"))

    text = text_of(page)
    assert "Your work Write a post My drafts Night boats Saved" in text
    assert "Sent back to me Sent Ed Editor" in text
    assert text.index("My drafts") < text.index("Sent back to me") < text.index("What waits")
    assert "Somebody else" not in text
    assert "Waiting for me" not in text
    html = page.content.decode()
    assert f'href="{url("post_change", draft.pk)}"' in html
    assert f'href="{url("post_change", back.pk)}"' in html


@requirement("desk.waiting")
def test_a_reviewer_sees_first_what_was_asked_of_her(editor: Client) -> None:
    olga = actor_of(desk(*WRITER, name="Olga Other"))
    request_review(save(title="For anybody").post, by=olga)
    asked = request_review(save(title="For Ed").post, by=olga, person=user_of(editor).pk)
    iris = desk(*EDITOR, name="Iris Other")
    request_review(save(title="For Iris").post, by=olga, person=user_of(iris).pk)
    request_review(save(title="Of Ed himself").post, by=actor_of(editor))

    page = editor.get(reverse("admin:index"))

    assert "Waiting for me For Ed Olga Other" in text_of(page)
    work = own_work(user_of(editor).pk, may_approve=True)
    assert [post.title for post in work.waiting] == ["For Ed", "For anybody"]
    assert [post.title for post in own_work(user_of(editor).pk, may_approve=False).waiting] == ["For Ed"]
    assert f'href="{url("post_review", asked.pk)}"' in page.content.decode()


@requirement("desk.waiting")
def test_the_last_saved_drafts_come_first_and_further_ones_have_a_link(writer: Client) -> None:
    me = actor_of(writer)
    posts = [save(title=f"Draft {number}", actor=me, now=NOW + timedelta(minutes=number)).post for number in range(6)]
    assert "?mine=yes&amp;status=draft" in writer.get(reverse("admin:index")).content.decode()

    update(posts[0], body="Words.", actor=AGENT, now=LATER)

    shown = [post.title for post in own_work(user_of(writer).pk, may_approve=False).drafts]
    assert shown == ["Draft 0", "Draft 5", "Draft 4", "Draft 3", "Draft 2"]
    save(title="Public", actor=me, publish=True)
    assert len(titles(writer, mine="yes")) == 7


@requirement("desk.waiting")
def test_what_is_mine_and_what_waits_take_three_queries(writer: Client) -> None:
    with CaptureQueriesContext(connection) as queries:
        writer.get(reverse("admin:index"))

    own = [query["sql"] for query in queries if '"blog_engine_' in query["sql"]]
    assert len(own) == 3
    assert len(queries) <= 13


@pytest.mark.parametrize(("permissions", "is_offered"), [(WRITER, True), (("view_post",), False)])
def test_who_writes_without_a_byline_is_offered_one(permissions: tuple[str, ...], is_offered: bool) -> None:
    client = desk(*permissions)

    assert (url("post_byline") in client.get(reverse("admin:index")).content.decode()) is is_offered
    if is_offered:
        byline_of(client, "Wanda Writer")
        assert url("post_byline") not in client.get(reverse("admin:index")).content.decode()


# What no one else learns


@requirement("desk.mine.private")
def test_neither_the_api_nor_an_export_tells_who_is_who(writer: Client) -> None:
    wanda = byline_of(writer, "Wanda Writer")
    save_post(writer, title="Night boats")
    post = Post.objects.get()
    assert post.created_by == f"user:{user_of(writer).pk}"
    api = client_with("read", "write")

    answers = [api.get(f"/blog/api/v1/{path}").json() for path in ("authors", f"posts/{post.pk}", "posts")]
    rows = [row for model in (Author, Post) for row in Table(model).rows("default")]

    for row in rows:
        # The writer of content that no revision records, whom its record will name (history.actors).
        row.pop("unrecorded_by", None)
    for shown in (*answers, *rows):
        assert "user" not in shown and "user_id" not in shown and "created_by" not in shown
        assert "wanda.writer" not in str(shown)
        assert post.created_by not in str(shown)
    assert (
        api.patch(f"/blog/api/v1/authors/{wanda.pk}", {"user": 1}, content_type="application/json").status_code == 422
    )


@pytest.mark.parametrize(
    ("actor", "kept"),
    [
        (Actor("Agent", id="token:3"), None),
        (Actor("Importer"), None),
        (Actor("Wanda", id="user:7"), "user:7"),
    ],
)
def test_a_post_remembers_only_the_person_who_made_it(actor: Actor, kept: str | None) -> None:
    post = save(actor=actor).post

    update(post, title="Other", actor=Actor("Ed", id="user:9"))

    assert Post.objects.get(pk=post.pk).created_by == kept


# The name of the blog


@requirement("desk.name")
def test_the_header_has_the_name_of_the_blog(editor: Client, settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(site_name="Harbour <News>")
    post = save().post
    pages = [url("post_changelist"), url("post_change", post.pk), url("category_changelist"), url("redirect_add")]

    for path in [*pages, reverse("admin:index"), reverse("admin:app_list", args=["blog_engine"])]:
        page = editor.get(path).content.decode()
        assert f'<a href="{reverse("admin:index")}">Harbour &lt;News&gt;</a>' in page
        assert "Harbour &lt;News&gt;</title>" in page
        assert "Django administration" not in page


@requirement("desk.name")
def test_a_header_of_the_host_stays(editor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from django.contrib import admin

    monkeypatch.setattr(admin.site, "site_header", "The office")

    for path in (reverse("admin:index"), url("post_changelist"), url("post_add")):
        page = editor.get(path).content.decode()
        assert ">The office</a>" in page
        assert "The Example Journal</a>" not in page
