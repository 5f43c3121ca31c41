"""Redirects at the desk."""

from datetime import date

import pytest
from django.test import Client

from blog_engine import services
from blog_engine.inputs.records import SaveRedirect
from blog_engine.models import Redirect
from tests.admin.desk import faults, logged, nothing_written, page_of, sent, text_of, url
from tests.requirements import requirement
from tests.support.factories import EDITOR as ACTOR
from tests.support.factories import NOW, save, update

pytestmark = pytest.mark.django_db


def add(old: str, new: str | None = None) -> Redirect:
    return services.add_redirect(SaveRedirect(old_path=old, new_path=new), actor=ACTOR, now=NOW)


def test_a_redirect_is_added(editor: Client) -> None:
    sent(editor, "redirect_add", old_path="/old", new_path="https://a.example/new", occurred_on="2020-01-31")

    row = Redirect.objects.get()
    assert (row.old_path, row.new_path, row.source) == ("/old", "https://a.example/new", "manual")
    assert row.occurred_on == date(2020, 1, 31)
    assert logged() == [(1, "/old")]


def test_a_path_without_a_target_is_gone(editor: Client) -> None:
    sent(editor, "redirect_add", old_path="/blog/old", new_path="", occurred_on="")

    assert editor.get("/blog/old").status_code == 410


def test_a_redirect_that_is_stored_already_is_no_fault(editor: Client) -> None:
    add("/old", "/new")

    with nothing_written():
        answer = editor.post(url("redirect_add"), {"old_path": "/old", "new_path": "/new"}, follow=True)

    assert "already had this redirect" in answer.content.decode()


def test_a_fault_is_shown_at_its_field(editor: Client, subtests: pytest.Subtests) -> None:
    save()
    add("/taken", "/new")

    for fields, wrong in [
        ({"old_path": ""}, "old_path"),
        ({"old_path": "old"}, "old_path"),
        ({"old_path": "/a b"}, "old_path"),
        ({"old_path": "/taken", "new_path": "/other"}, "old_path"),
        ({"old_path": "/blog/winter-garden", "new_path": "/other"}, "old_path"),
        ({"old_path": "/new", "new_path": "/taken"}, "new_path"),
        ({"old_path": "/old", "new_path": "javascript:alert(1)"}, "new_path"),
        ({"old_path": "/old", "occurred_on": "yesterday"}, "occurred_on"),
    ]:
        with subtests.test(fields=fields, wrong=wrong), nothing_written():
            assert faults(sent(editor, "redirect_add", **fields)) == [wrong]


@requirement("desk.findings")
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("/elsewhere", "/about", "The path is outside the blog, so readers are not redirected yet"),
        ("/blog/old", "/blog/no-such-post", "Readers find no page at the target"),
        ("/blog/old", "winter-garden", "Readers find no page at the target"),
    ],
)
def test_the_message_says_what_readers_do_not_get(editor: Client, old: str, new: str, said: str) -> None:
    save()

    answer = editor.post(url("redirect_add"), {"old_path": old, "new_path": new}, follow=True)

    shown = text_of(answer)
    assert f"The redirect from “{old}” was stored. {said}" in shown
    assert " now." not in shown
    assert '<li class="warning">' in answer.content.decode()


@requirement("desk.findings")
def test_a_redirect_that_works_is_said_to_work(editor: Client) -> None:
    save(title="Ferry", publish=True)

    answer = editor.post(url("redirect_add"), {"old_path": "/blog/old", "new_path": "ferry"}, follow=True)

    assert "“/blog/old” redirects to “/blog/ferry” now." in text_of(answer)


@requirement("desk.refusals")
@pytest.mark.parametrize(
    ("field", "sent_text", "said"),
    [
        ("old_path", "old", "Begin the path with /."),
        ("old_path", "//old", "Begin the path with only one /."),
        ("old_path", "/a b", "Take the spaces out: a path has none."),
        ("old_path", "/a#b", "Leave out what follows the #: browsers do not send it."),
        ("old_path", "/a/../b", "Write the path in full, without . and .. between its slashes."),
        ("new_path", "a b", "Take the spaces out: a URL has none."),
        ("new_path", "//host/b", "Begin the path with only one /."),
        ("new_path", "/a/./b", "Write the path in full, without . and .. between its slashes."),
        ("new_path", "ftp://a.example/", "Enter the last part of a post's URL, a path that begins with /"),
        ("new_path", "/from", "This leads back to the old path: enter another target."),
    ],
)
def test_each_cause_has_its_sentence(editor: Client, field: str, sent_text: str, said: str) -> None:
    answer = sent(editor, "redirect_add", **({"old_path": "/from"} | {field: sent_text}))

    (shown,) = answer.context["form"].errors[field]
    assert shown.startswith(said)


@requirement("desk.refusals")
def test_a_path_that_has_a_redirect_leads_to_it(editor: Client) -> None:
    row = add("/taken", "/new")

    answer = sent(editor, "redirect_add", old_path="/taken", new_path="/other")

    assert f'<a href="{url("redirect_change", row.pk)}">/taken</a>' in answer.content.decode()


def test_a_redirect_is_deleted_after_a_confirmation(editor: Client) -> None:
    row = add("/old", "/new")

    assert "/new" in page_of(editor, "redirect_delete", row.pk)
    assert Redirect.objects.exists()
    sent(editor, "redirect_delete", row.pk)

    assert not Redirect.objects.exists()
    assert logged() == [(3, "/old")]


def test_the_page_of_a_redirect_leads_to_its_post_and_its_deletion(editor: Client) -> None:
    post = save(publish=True).post
    update(post, slug="summer", change="maintenance")
    row = Redirect.objects.get()

    page = page_of(editor, "redirect_change", row.pk)

    assert [path in page for path in ("/blog/winter-garden", "/blog/summer", url("post_change", post.pk))] == [True] * 3
    assert url("redirect_delete", row.pk) in page


def test_redirects_are_searched_and_filtered(editor: Client) -> None:
    row = add("/old", "/new")
    add("/gone")

    page = editor.get(url("redirect_changelist"), {"q": "old", "source": "manual"}).content.decode()

    assert url("redirect_change", row.pk) in page
    assert "/gone" not in page
    assert "Gone (410)" in page_of(editor, "redirect_changelist")


def test_the_newest_redirect_comes_first(editor: Client) -> None:
    for number in range(3):
        sent(editor, "redirect_add", old_path=f"/old-{number}", new_path="/new", occurred_on=f"2026-11-{20 - number}")

    page = page_of(editor, "redirect_changelist")

    assert page.index(">/old-2<") < page.index(">/old-1<") < page.index(">/old-0<")
