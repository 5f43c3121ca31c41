"""Reading parts of a post, and answers of writes without the body."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from blog_engine.enums import BodyFormat
from blog_engine.errors import Refusal, ValidationFailed
from blog_engine.models import Post
from blog_engine.operations import posts
from blog_engine.outputs.posts import ALWAYS_READ, FullPost
from tests.requirements import requirement
from tests.support.clients import call_operation, client_with, tool_answer
from tests.support.factories import approve, save
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db

BODY = "Rain.\n\n# Ropes\n\nFour.\r\n\n## Tar\n\nHot.\n\n## Wax\n\nCold.\n"
ALWAYS = [name for name in ALWAYS_READ if name in FullPost.model_fields]


def read(**sent: Any) -> dict[str, Any]:
    answer: dict[str, Any] = call_operation(posts.get_post, sent, id="ropes")
    return answer


def refusal(**sent: Any) -> Refusal:
    with pytest.raises(ValidationFailed) as caught:
        read(**sent)
    return caught.value


@pytest.fixture
def ropes() -> Post:
    return save(title="Ropes", body=BODY, tags=["Tar"], description="All of them.").post


@requirement("posts.read")
def test_without_parts_the_answer_is_the_whole_post(ropes: Post) -> None:
    assert list(read()) == list(FullPost.model_fields)
    assert (read(outline=False), read()["body"], read()["body_length"]) == (read(), BODY, len(BODY))


@requirement("posts.read.fields")
@pytest.mark.parametrize("fields", ["tags, description", ["tags", "description"]])
def test_only_the_fields_that_were_asked_for_are_in_the_answer(ropes: Post, fields: object) -> None:
    whole = read()

    answer = read(fields=fields)

    assert answer == {name: whole[name] for name in [*ALWAYS, "tags", "description"]}


@requirement("posts.read.fields")
def test_an_empty_list_of_fields_gives_what_names_the_post(ropes: Post) -> None:
    assert list(read(fields=[])) == ALWAYS


@requirement("posts.read.fields")
@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (["titel", "body"], "Did you mean title instead of titel?"),
        ("body, tag", "Did you mean tags instead of tag?"),
        ([""], "The keys are id, slug, url,"),
        (["outline"], "The keys are"),
    ],
)
def test_an_unknown_field_is_refused(ropes: Post, fields: object, said: str) -> None:
    found = refusal(fields=fields)

    assert found.details == ["fields"]
    assert said in str(found)


@requirement("posts.read.outline")
def test_the_outline_has_the_headings_and_the_lengths_of_their_sections(ropes: Post) -> None:
    answer = read(outline="true")

    assert list(answer) == [*ALWAYS, "outline"]
    assert answer["outline"] == [
        {"level": 1, "id": "ropes", "text": "Ropes", "length": 45},
        {"level": 2, "id": "tar", "text": "Tar", "length": 14},
        {"level": 2, "id": "wax", "text": "Wax", "length": 14},
    ]
    assert [heading["id"] for heading in answer["outline"]] == [heading["id"] for heading in ropes.outline]


@requirement("posts.read.section")
@pytest.mark.parametrize("name", ["tar", "Tar", " TAR "])
def test_a_section_is_found_by_id_or_text(ropes: Post, name: str) -> None:
    answer = read(section=name)

    assert list(answer) == [*ALWAYS, "section"]
    assert answer["section"] == {"level": 2, "id": "tar", "text": "Tar", "length": 14, "body": "## Tar\n\nHot.\n\n"}
    assert answer["section"]["body"] in BODY


@requirement("posts.read.section", "posts.read.fields", "posts.read.outline")
def test_parts_can_be_asked_for_together(ropes: Post) -> None:
    answer = read(section="ropes", outline=True, fields=["body_length"])

    assert list(answer) == ["id", "revision_identifier", "body_length", "version", "outline", "section"]
    assert answer["section"]["body"] == BODY.removeprefix("Rain.\n\n")


@requirement("posts.read.section.refusals")
def test_an_unknown_section_is_refused_with_those_that_there_are(ropes: Post) -> None:
    assert str(refusal(section="Oil")).endswith("The headings of the body are ropes, tar, wax.")


@requirement("posts.read.section.refusals")
def test_a_body_without_headings_has_no_section() -> None:
    save(title="Ropes", body="Four.")

    assert str(refusal(section="Oil")).endswith("The body has no headings.")
    assert read(outline=True)["outline"] == []


@requirement("posts.read.section.refusals")
def test_a_text_of_several_headings_is_refused_with_their_ids() -> None:
    save(title="Ropes", body="## A b\n\n## A  b\n" + "## C\n" * 30)

    assert "send the id of one, a-b, a-b-1." in str(refusal(section="a b"))
    assert "c-17 and 12 more." in str(refusal(section="d"))


@requirement("posts.read.section.refusals", "posts.read.outline")
@pytest.mark.usefixtures("ropes")
def test_html_has_an_outline_but_no_sections(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(body_formats=["markdown", "rich_text"])
    call_operation(posts.update_post, {"body": "<h2>A</h2>", "body_format": BodyFormat.RICH_TEXT.value}, id="ropes")

    assert read(outline=True)["outline"] == [{"level": 2, "id": "a", "text": "A", "length": None}]
    assert refusal(section="a").details == ["section"]


def test_parts_need_no_further_query(ropes: Post) -> None:
    counts = []
    for sent in ({}, {"fields": ["title"]}, {"outline": True, "section": "tar"}):
        with CaptureQueriesContext(connection) as queries:
            read(**sent)
        counts.append(len(queries))

    assert len(set(counts)) == 1


@requirement("posts.read.fields")
def test_a_query_has_commas_or_a_key_for_each_name(ropes: Post) -> None:
    client = client_with("read")

    answers = [
        client.get(f"/blog/api/v1/posts/ropes?fields={text}").json() for text in ("title,slug", "title&fields=slug")
    ]

    assert list(answers[0]) == [*ALWAYS[:1], "slug", "title", *ALWAYS[1:]]
    assert answers[1] == answers[0]


@requirement("posts.envelope.body")
def test_writes_over_the_api_answer_with_the_body_unless_it_is_not_wanted(ropes: Post) -> None:
    client = client_with("read", "write", "publish")
    path = "/blog/api/v1/posts/ropes"

    whole, brief = (
        client.patch(path, {"featured": True} | more, content_type="application/json").json()["post"]
        for more in ({}, {"with_body": False})
    )

    assert whole["body"] == BODY
    assert "body" not in brief
    assert brief.keys() | {"body"} == whole.keys()
    assert (brief["body_length"], brief["revision_identifier"]) == (len(BODY), ropes.current_revision_identifier)


@requirement("posts.envelope.body")
def test_a_query_can_leave_out_the_body(ropes: Post) -> None:
    client = client_with("read", "write", "publish")
    approve(ropes)

    answer = client.delete("/blog/api/v1/posts/ropes?with_body=false").json()["post"]

    assert (answer["status"], "body" in answer) == ("archived", False)


@requirement("posts.envelope.body")
def test_tools_answer_with_the_body_unless_it_is_not_wanted(client: Client) -> None:
    agent = client_with("read", "write", "publish")
    sent = {"title": "Ropes", "slug": "ropes", "body": BODY}

    whole = tool_answer(agent, "blog_save_draft", sent)["post"]
    brief = tool_answer(agent, "blog_save_draft", sent | {"with_body": False})["post"]

    assert ("body" in brief, brief["body_length"], whole["body"]) == (False, len(BODY), BODY)
