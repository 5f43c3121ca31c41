"""The finding of the house style: each rule, where it is found, and what it costs."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from blog_engine.findings import Finding, findings_of, findings_of_posts
from blog_engine.models import Category, HouseStyle, Post
from blog_engine.queries import house_style as kept
from blog_engine.queries.checked import posts_to_check
from blog_engine.queries.posts import read_post
from blog_engine.services.finding_codes import check_posts
from tests.requirements import requirement
from tests.support.clients import client_with
from tests.support.factories import NOW, save, update
from tests.support.hosts import blog_settings
from tests.support.styles import write_style

pytestmark = pytest.mark.django_db

LOGIN = {"avoid": "login", "use": "sign in", "reason": "Readers know it by now."}


@pytest.fixture(autouse=True)
def _forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_kept", {})


def of_style(post: Post) -> list[Finding]:
    found = findings_of(read_post(post.pk), has_responsible_party=True, now=NOW)
    return [finding for finding in found if finding.code == "house_style"]


def shown(post: Post) -> list[tuple[str | None, str | None, str]]:
    return [(finding.rule, finding.location, finding.message) for finding in of_style(post)]


@requirement("style.off")
def test_without_a_rule_nothing_is_found() -> None:
    post = save(title="Login", body="login").post
    assert of_style(post) == []

    write_style(tone="Calm.")
    assert of_style(post) == []

    write_style(terms=[LOGIN])
    assert len(of_style(post)) == 1

    write_style()
    assert of_style(post) == []
    assert HouseStyle.objects.get().version == ""


@requirement("style.findings")
def test_a_term_is_found_once_with_its_places_counted_and_its_reason() -> None:
    write_style(terms=[LOGIN, {"avoid": "utilize"}])
    faq = [{"question": "Where do I login?", "answer": "Utilize the form."}]
    body = "Here you *login* to the ferry.\n\n`login` is a command, and [this](/login) a URL. Login now."

    written = save(title="The ferry", body=body, faq=faq)

    expected = [
        (
            "terms",
            "body",
            "Write “sign in” instead of “login”: “Here you login to the ferry.” (3 in all). Readers know it by now.",
        ),
        ("terms", "faq[0].answer", "The house style avoids “utilize”: “Utilize the form.” (1 in all)."),
    ]
    assert shown(written.post) == expected
    assert [(one.rule, one.location, one.message) for one in written.findings if one.code == "house_style"] == expected
    answer = client_with("read").get(f"/blog/api/v1/posts/{written.post.pk}/findings").json()
    assert {"code": "house_style", "rule": "terms", "location": "body", "message": expected[0][2]} in answer["findings"]


@requirement("style.findings")
@pytest.mark.parametrize(
    ("fields", "location"),
    [
        ({"title": "Login"}, "title"),
        ({"description": "How to login."}, "description"),
        ({"search_title": "login"}, "search_title"),
        ({"search_description": "login"}, "search_description"),
        ({"faq": [{"question": "A", "answer": "B"}, {"question": "Login?", "answer": "C"}]}, "faq[1].question"),
    ],
    ids=str,
)
def test_each_text_of_a_post_is_searched(fields: dict[str, Any], location: str) -> None:
    write_style(terms=[LOGIN])

    assert [finding.location for finding in of_style(save(**fields).post)] == [location]


@requirement("style.terms.prose")
def test_words_that_rendering_adds_are_not_found() -> None:
    write_style(terms=[{"avoid": word} for word in ("note", "copy", "link", "python", "table", "back")])
    body = "## Head\n\n> [!NOTE]\n> Text.[^1]\n\n```python\nx\n```\n\n| a |\n| - |\n| b |\n\n[^1]: Foot."

    assert shown(save(body=body).post) == []


@requirement("style.findings")
def test_many_terms_are_counted_in_one_finding() -> None:
    write_style(terms=[{"avoid": f"word{number}"} for number in range(30)])

    found = shown(save(body=" ".join(f"word{number}" for number in range(25))).post)

    assert len(found) == 21
    assert found[-1] == ("terms", None, "The post has 5 other terms that the house style avoids.")


@requirement("style.form", "style.findings")
@pytest.mark.parametrize(
    ("rules", "fields", "expected"),
    [
        ({"least_words": 5}, {"body": "One two."}, [("least_words", "body")]),
        ({"least_words": 2}, {"body": "One two."}, []),
        ({"most_words": 1}, {"body": "One two."}, [("most_words", "body")]),
        ({"least_words": 5, "sections": [{"heading": "Sources"}], "least_sources": 1}, {"body": ""}, []),
        ({"sections": [{"heading": "Our  sources"}]}, {"body": "## our SOURCES\n\nx"}, []),
        ({"sections": [{"heading": "Sources"}, {"heading": "Method"}]}, {"body": "# Method"}, [("sections", "body")]),
        ({"least_description": 9}, {"description": "Short"}, [("least_description", "description")]),
        ({"least_description": 9}, {"description": " "}, []),
        (
            {"most_description": 9},
            {"search_description": "Much too long"},
            [("most_description", "search_description")],
        ),
        ({"most_description": 9}, {"description": "Much too long", "search_description": "Short"}, []),
        (
            {"least_sources": 1},
            {"body": "[a](https://blog.example/x) [b](/blog/c) [d](mailto:x@y.example)"},
            [("least_sources", "body")],
        ),
        (
            {"least_sources": 2},
            {"body": "[a](https://a.example/x#1) [b](https://a.example/x#2)"},
            [("least_sources", "body")],
        ),
        ({"least_sources": 2}, {"body": "[a](https://a.example/x) [b](https://a.example/y)"}, []),
    ],
    ids=str,
)
def test_the_form_of_a_post(settings: Any, rules: dict[str, Any], fields: dict[str, Any], expected: list[Any]) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url="https://blog.example")
    write_style(**rules)

    assert [(one.rule, one.location) for one in of_style(save(**fields).post)] == expected


@requirement("style.findings")
def test_a_heading_can_be_wanted_in_one_category() -> None:
    tests = Category.objects.create(name="Tests", slug="tests")
    write_style(sections=[{"heading": "Method", "category": tests.pk}])
    post = save(body="Text.", category="Tests").post

    assert shown(post) == [("sections", "body", "The house style wants a heading “Method”.")]
    assert of_style(update(post, category="Other").post) == []

    tests.delete()
    assert of_style(post) == []


@requirement("findings.together", "style.queries")
def test_several_posts_are_checked_as_each_alone_with_one_query_more() -> None:
    posts = [save(title=f"Post {number}", body=f"login {'word ' * number}").post for number in range(4)]
    ids = [post.pk for post in posts]
    write_style(terms=[LOGIN], least_words=3)
    alone = {post.pk: findings_of(read_post(post.pk), has_responsible_party=True, now=NOW) for post in posts}

    with CaptureQueriesContext(connection) as queries:
        together = findings_of_posts(posts_to_check(ids), has_responsible_party=True, now=NOW)

    assert together == alone
    assert len(queries) == 3


@requirement("style.terms.lists", "posts.list.findings")
def test_a_list_does_not_search_long_posts_for_new_terms() -> None:
    listed = {
        "short": save(title="Short", body="login " * 4_000).post,
        "body": save(title="Body", body="login " * 6_000).post,
        "faq": save(title="FAQ", faq=[{"question": "Why?", "answer": "login " * 6_000}]).post,
    }
    write_style(terms=[LOGIN])
    number = {
        name: len(findings_of(read_post(post.pk), has_responsible_party=True, now=NOW)) for name, post in listed.items()
    }

    def counted() -> dict[str, int | None]:
        cards = client_with("read").get("/blog/api/v1/posts").json()["posts"]
        known = {card["id"]: card["open_findings"] for card in cards}
        return {name: known[post.pk] for name, post in listed.items()}

    assert counted() == number | {"body": None, "faq": None}

    write_style(least_words=2)
    assert None not in counted().values()

    write_style(terms=[LOGIN])
    check_posts(now=NOW)
    assert counted() == number


def queries_of(post: Post) -> tuple[int, int, int]:
    """Return the queries of a new post, of the change of a title, and of the findings of a stored post."""
    numbers = []
    for step in (
        lambda: save(title=f"Post {Post.objects.count()}", body="login"),
        lambda: update(post, title=f"Title {Post.objects.count()}"),
        lambda: of_style(post),
    ):
        with CaptureQueriesContext(connection) as queries:
            step()
        numbers.append(len(queries))
    new, changed, read = numbers
    return new, changed, read


@requirement("style.queries")
def test_the_house_style_costs_a_write_no_query() -> None:
    post = save(title="First", body="login").post
    queries_of(post)
    new, changed, read = queries_of(post)
    write_style(least_words=3)

    # The process learns of it: it reads the style, and keeps the findings of the stored post once more.
    assert queries_of(post)[0] == new + 2
    assert queries_of(post) == (new, changed, read)

    write_style(terms=[LOGIN])
    queries_of(post)

    assert queries_of(post) == (new, changed, read + 1)


def test_a_house_style_that_cannot_be_read_stops_no_writer(caplog: pytest.LogCaptureFixture) -> None:
    write_style(terms=[LOGIN])
    HouseStyle.objects.update(rules={"terms": [{"avoid": 5}]}, version="another")

    assert of_style(save(body="login").post) == []
    assert "save it again at the desk" in caplog.text


def test_the_rules_of_another_process_are_read_at_once() -> None:
    post = save(body="login").post
    write_style(terms=[LOGIN])
    assert len(of_style(post)) == 1

    HouseStyle.objects.update(rules={"terms": [], "least_words": 9}, version="newer")

    assert [finding.rule for finding in of_style(post)] == ["least_words"]
