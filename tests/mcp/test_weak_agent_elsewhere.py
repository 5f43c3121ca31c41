"""A weak agent that has learnt other blog engines: one refusal says all that it must change.

``corrected`` makes the next call out of the words of the refusal alone, and takes each of them: a model reads all. What
the agent means by a value that has another form, such as a day, is its own knowledge.
"""

import json
import re
from base64 import b64encode
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from django.test import Client

from tests.mcp.weak_agent import APPROVAL, EDIT, Arguments, Blog, answer_of, of
from tests.requirements import requirement
from tests.support.clients import call_tool, client_with
from tests.support.images import png
from tests.support.tables import stored_beside_tokens

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_images")]

D, P = "<draft>", "<public>"
FUTURE = "2099-12-01T09:00:00Z"
Call = tuple[str, Arguments]


def renamed(call: Call, old: str, new: str) -> Call:
    """Rename a field of the call, or in the objects in it."""

    def within(value: Any) -> Any:
        if isinstance(value, list):
            return [within(entry) for entry in value]
        return {new if key == old else key: within(inner) for key, inner in value.items()} if _is(value) else value

    own = {new if key == old else key: value for key, value in call[1].items()}
    return call[0], own if own.keys() != call[1].keys() else {key: within(value) for key, value in own.items()}


def without(call: Call, *names: str) -> Call:
    def within(value: Any) -> Any:
        if isinstance(value, list):
            return [within(entry) for entry in value]
        return {key: within(inner) for key, inner in value.items() if key not in names} if _is(value) else value

    return call[0], within(call[1])


def _is(value: object) -> bool:
    return isinstance(value, dict)


def inside(call: Call, names: list[str], place: str, *, is_list: bool) -> Call:
    entry = {name: call[1][name] for name in names}
    return call[0], {**without(call, *names)[1], place: [entry] if is_list else entry}


def unwrapped(call: Call, name: str) -> Call:
    inner = call[1][name]
    return call[0], {**without(call, name)[1], **(json.loads(inner) if isinstance(inner, str) else inner)}


def as_text(sent: Any) -> Any:
    """Return the text that a value of another type holds."""
    if isinstance(sent, list):
        return as_text(sent[0])
    return as_text(next(iter(sent.values()))) if isinstance(sent, dict) else str(sent)


def objects(keys: str) -> Callable[[Any], Any]:
    names = re.findall(r"\w+", re.sub(r"\(.*?\)", "", keys).replace(" and ", " "))

    def read(sent: Any) -> Any:
        rows = sent.items() if isinstance(sent, dict) and names[0] not in sent else [sent]
        return [dict(zip(names, row, strict=False)) if isinstance(row, tuple) else row for row in rows]

    return read


def entries(keys: str) -> Callable[[Any], Any]:
    names = re.findall(r"\w+", keys.replace(" and ", " "))
    return lambda sent: [dict(zip(names, row, strict=False)) for row in sent]


FORMS: tuple[tuple[str, Callable[[re.Match[str]], Callable[[Any], Any]]], ...] = (
    (r"true or false", lambda match: lambda sent: sent in ("yes", 1)),
    (r"text, not (?:a list|an object|a number)", lambda match: as_text),
    (r"the id, slug or name of one author as text", lambda match: as_text),
    (r"a list of objects with (.*), not an object", lambda match: objects(match[1])),
    (r"an object with (\w+ and \w+), not a list", lambda match: entries(match[1])),
    (r"an object with action \((\w+)", lambda match: lambda sent: {"action": match[1]}),
    (r"a list, not text", lambda match: lambda sent: [sent]),
    (r"a date (?:and time|with the time of day)", lambda match: lambda sent: FUTURE),
    (r"a date written", lambda match: lambda sent: "2026-11-01"),
    (r"a time that exists", lambda match: lambda sent: FUTURE),
    (r"an object with exactly one of (image_id).* (url) a public",
     lambda match: lambda sent: {match[1] if isinstance(sent, int) else match[2]: sent}),
    (r"a language tag", lambda match: lambda sent: "de"),
    (r"lower-case letters and digits", lambda match: lambda sent: re.sub(r"\W+", "-", sent.lower()).strip("-")),
    (r"a path that starts with one /", lambda match: lambda sent: "/" + sent.split("/")[-1]),
    (r"two versions such as ([\w.]+)", lambda match: lambda sent: match[1]),
    (r"the identifier of a revision.*, (public) or draft", lambda match: lambda sent: match[1]),
    (r"the number of a post", lambda match: lambda sent: as_text(sent)),
    (r"an absolute http or https URL", lambda match: lambda sent: f"https://{sent}"),
    (r"a whole number of at (?:most|least) (\d+)", lambda match: lambda sent: int(match[1])),
    (r"a whole number", lambda match: lambda sent: int("".join(re.findall(r"\d", str(sent))) or 30)),
    (r".*\(did you mean (\w+)\?\)", lambda match: lambda sent: match[1]),
    (r"(?:one of )?(\w+)(?:, \w+)*(?: or \w+)?\Z", lambda match: lambda sent: match[1]),
)  # fmt: skip
"""What a field must be, and how an agent that knows what it means writes its value so."""


EXPECTED = r"(\w+)(?: \(entry (\d+)\))? must be (.*?)(?=; [\w.]+ (?:\(|must)|\. [A-Z]|\.\Z)"


def corrected(tool: str, arguments: Arguments, message: str) -> Call:
    """Return the call that takes every word of a refusal."""
    call: Call = (tool, deepcopy(arguments))
    for new, old in re.findall(r"(\w+) instead of (\w+)", message):
        call = renamed(call, old, new)
    for match in re.finditer(r"Send (\w+(?: and \w+)*) (as an entry of|in) (\w+)\.", message):
        call = inside(call, match[1].split(" and "), match[3], is_list=match[2] != "in")
    for name in re.findall(r"Send what is in (\w+) as fields", message):
        call = unwrapped(call, name)
    for names in re.findall(r"[Ll]eave (\w+(?: and \w+)*) out", message):
        call = without(call, *names.split(" and "))
    if "takes no fields" in message:
        call = tool, {}
    for name, entry, expected in re.findall(EXPECTED, message):
        call = with_form(call, name, entry, expected)
    for name, number in re.findall(r"The (category|author|series) with .* the id (\d+)", message):
        call = tool, {**call[1], "id": number}
        assert name in tool
    return call


def with_form(call: Call, name: str, entry: str, expected: str) -> Call:
    """Return the call with what a field, or an entry of it, must be; the field can be in an object of the call."""
    for key, inner in call[1].items():
        if name not in call[1] and _is(inner) and name in inner:
            return call[0], {**call[1], key: with_form((call[0], inner), name, entry, expected)[1]}
    if expected.endswith(("or left out", "at once")):
        return without(call, name)
    if expected.startswith("sent"):
        return call[0], {**call[1], name: "rope"}
    for pattern, form in FORMS:
        if name in call[1] and (match := re.match(pattern, expected)):
            sent, change = call[1][name], form(match)
            is_one = entry and isinstance(sent, list) and not pattern.startswith("an object with (")
            return call[0], {**call[1], name: [change(one) for one in sent] if is_one else change(sent)}
    pytest.fail(f"no form for {name}: {expected}")


ADOPTED = {"source_system": "wordpress", "source_id": "12", "slug": "old", "title": "Old", "body": "Text."}
CONNECTIONS: dict[str, Any] = {"connections": [], "third_party_paid": False, "declared_by": "Ines"}

MISTAKES = {
    # Names of WordPress, Ghost, Contentful, Hugo and others.
    "post_title, post_content": of("save_draft", post_title="Rope", post_content="Text.", post_excerpt="It."),
    "html, custom_excerpt": of("save_draft", title="Rope", html="Text.", custom_excerpt="About it."),
    "featured_media": of("update_post", id=D, featured_media="<image>"),
    "feature_image_alt": of("update_post", id=D, feature_image_alt="A quay"),
    "categories": of("save_draft", title="Rope", categories=["History"]),
    "category_id": of("save_draft", title="Rope", category_id="<category>"),
    "tag_ids": of("save_draft", title="Rope", tag_ids=[1]),
    "authors": of("save_draft", title="Rope", authors=["Ada"]),
    "published_at": of("publish_post", id=D, published_at="2099-12-01"),
    "scheduled_for, epoch": of("publish_post", id=D, scheduled_for=4099680000),
    "permalink, lang, sticky": of("save_draft", title="Rope", permalink="Rope & Lamp", lang="German", sticky=1),
    "comment_status": of("save_draft", title="Rope", comment_status="open"),
    "camel case": of("update_post", id=D, coverAlt="A quay", searchTitle="Knives", dryRun="yes"),
    "fields of a locale": of("update_post", id=D, fields={"title": {"en-US": "Knives"}}),
    "post as JSON text": of("update_post", id=D, post='{"title": "Knives"}'),
    "data of a new post": of("save_draft", data={"title": {"rendered": "Rope"}, "tags": "rope"}),
    "version": of("update_post", id=D, title="Knives", version="1"),
    "title of a category": of("save_category", title="Boats", order="3"),
    "parent of a category": of("save_category", name="Boats", parent=0),
    "url and photo of an author": of("save_author", display_name="Grace", website="grace.example", biography="Pilot."),
    "from and to of a redirect": of("save_redirect", **{"from": "old", "to": "/new", "status_code": 301}),
    "start and end of views": of("get_page_views", id=P, start="last month", end="today"),
    "period of views": of("get_page_views", period="30d"),
    "text of a search": of("search_posts", keywords=["rope", "lamp"], order_by="date"),
    "id of a page": of("save_site_page", id="AI_Use", headline="AI", text="We do."),
    "publish of a page": of("save_site_page", kind="ai-use", title="AI", content="We do.", publish=True),
    "text of an FAQ": of("extract_faq", text="## Why?\n\nSo.", standalone_questions="Why?"),
    "verbose": of("doctor", verbose=True),
    "force": of("remove_post", id=P, force=True, redirect="/blog/"),
    "ids": of("check_post", ids=["fog-and-rain"]),
    "correction": of("correct_post", id=P, correction="The lamp.", edits=[{"find": "Take the", "replace": "Take a"}]),
    "reviewer": of("approve_revision", id=D, revision="<revision>", reviewer="Grace", facts_checked="yes"),
    "status of an adoption": of("adopt_post", **ADOPTED, body_format="md", status="publish"),
    "data and mime_type of an image": of("upload_image", data="<png>", name="a.png", mime_type="image/png"),
    # Values of another type or form.
    "numbers": of("update_post", id=D, category="<category>", author="<author>", external_id=17),
    "tags of objects": of("update_post", id=D, tags=[{"name": "rope"}]),
    "a year": of("publish_post", id=D, publish_at="01.12.2099"),
    "tomorrow": of("publish_post", id=D, publish_at="tomorrow 9:00"),
    "30 February": of("publish_post", id=D, publish_at="2099-02-30T09:00:00Z"),
    "now": of("publish_post", id=D, publish_at="now"),
    "the text null": of("publish_post", id=D, publish_at="null"),
    "status: any": of("list_posts", status="any", language="all", per_page="all"),
    "cursor as a page": of("list_posts", cursor=2),
    "page from zero": of("list_posts", page=0),
    "limit": of("list_tags", limit="all", search="rope"),
    "language with _": of("update_post", id=D, language="de_DE"),
    "www": of("update_post", id=D, canonical_url="www.example.org/knives"),
    "Human": of("update_post", id=D, provenance="Human written"),
    "cover as URL of an upload": of("update_post", id=D, cover_image="<image>"),
    "cover {}": of("update_post", id=D, cover_image={}),
    "faq as a map": of("update_post", id=D, faq={"Why?": "So."}),
    "faq as pairs": of("update_post", id=D, faq=[["Why?", "So."]]),
    "q and a": of("update_post", id=D, faq=[{"q": "Why?", "a": "So."}]),
    "old and new of the call": of("update_post", id=D, **EDIT),
    "append of the call": of("update_post", id=D, append="More."),
    "an approval of the call": of("update_post", id=D, title="Knives", **APPROVAL),
    "review: true": of("update_post", id=D, review=True),
    "state of a review": of("update_post", id=D, review={"state": "requested"}),
    "slug as id of a category": of("save_category", id="history", description="What was."),
    "name as id of an author": of("save_author", id="Ada", bio="Who."),
    "slug as id of a post": of("save_redirect", old_path="/old", new_path="/new", post_id="fog-and-rain"),
    "revision as a number": of("get_post_records", id=P, revision=1),
    "compare as a list": of("get_post_records", id=P, compare=["public", "draft"]),
    "include_body": of("get_post", id=P, include_body=True, fields=None),
    "declared by author": of("declare_connections", id=D, connections=[], third_party_paid="no", author="Ines"),
    "a day in words": of("declare_connections", id=D, **CONNECTIONS, declared_on="1 November 2026"),
    "id of a new post": of("publish_post", id="", title="Rope", body="Text."),
    "proposal of none": of("publish_post", id=D, proposal=""),
    "id of a new category": of("save_category", id="", name="Boats"),
    "answer of a category": of("save_category", name="Boats", answer="short"),
}  # fmt: skip

STOPS = {
    "publish a page": (of("save_site_page", scopes="rw", kind="ai_use", title="AI", body="We.", status="published"),
                       "Ask a person"),
    "a redirect": (of("save_redirect", scopes="rw", old_path="/old", new_path="/new"), "Ask a person"),
    "an adoption": (of("adopt_post", scopes="rw", **ADOPTED, body_format="markdown"), "Ask a person"),
    "connections": (of("declare_connections", scopes="rw", id=D, **CONNECTIONS), "Ask a person"),
    "approved": (of("approve_revision", id=D, revision_identifier="<revision>", name="Grace", approved=True),
                 "Never make an approval up: ask the person"),
    "approval: true": (of("update_post", id=D, title="Knives", approval=True), "unless a person reviewed this"),
    "revision of another post": (of("approve_revision", id=P, revision_identifier="<revision>", **APPROVAL),
                                 "ask a person to review it first"),
    "a file of this computer": (of("update_post", id=D, cover_image={"url": "file:///home/ada/quay.png"}),
                                "upload the file itself"),
    "a data: URL": (of("upload_image", url="data:image/png;base64,iVBORw0KGgo="), "upload the file itself"),
    "id of nothing": (of("get_post", id=99), "List the posts"),
    "a proposal of nothing": (of("publish_post", proposal="<draft>"), "The records of a post list its proposals"),
    "preview of a public post": (of("get_preview_link", id=P), "read the post to see its status"),
    "an empty title": (of("save_draft", title="", body="Text."), "or left out for a stored post"),
    "publish_at of a draft": (of("save_draft", title="Rope", publish_at=FUTURE), "blog_publish_post"),
}  # fmt: skip


def sent_by(mistake: Callable[[Blog], tuple[str, Arguments, str]]) -> tuple[str, Arguments, str]:
    tool, arguments, scopes = mistake(Blog.make())
    picture = b64encode(png()).decode()
    return tool, {name: picture if value == "<png>" else value for name, value in arguments.items()}, scopes


@requirement("refusals.hints", "refusals.hints.several", "refusals.messages")
@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_one_refusal_says_all_that_must_change(mistake: Callable[[Blog], tuple[str, Arguments, str]]) -> None:
    tool, arguments, scopes = sent_by(mistake)
    before = stored_beside_tokens()

    code, message = answer_of(scopes, tool, arguments)

    assert code, "the mistake is accepted"
    assert stored_beside_tokens() == before
    then = corrected(tool, arguments, message)
    assert answer_of(scopes, *then) == ("", ""), (message, then)


@requirement("refusals.hints", "refusals.messages")
@pytest.mark.parametrize(("mistake", "way"), STOPS.values(), ids=STOPS)
def test_what_the_agent_cannot_know_is_left_to_others(
    mistake: Callable[[Blog], tuple[str, Arguments, str]], way: str
) -> None:
    tool, arguments, scopes = sent_by(mistake)
    before = stored_beside_tokens()

    code, message = answer_of(scopes, tool, arguments)

    assert code
    assert stored_beside_tokens() == before
    assert way in message


@requirement("agents.tools.upload")
def test_empty_fields_beside_a_way_to_upload_count_as_not_sent(agent: Client) -> None:
    sent = {"base64": b64encode(png()).decode(), "filename": "a.png", "content_type": "image/png"}

    answer = call_tool(agent, "blog_upload_image", {**sent, "url": "", "byte_size": 0, "sha256": " "})

    assert answer["isError"] is False


@requirement("refusals.hints.several")
@pytest.mark.parametrize(
    ("method", "path", "sent"),
    [
        ("post", "posts", {"post_title": 5, "categories": ["a"]}),
        ("patch", "posts/fog-and-rain", {"lang": "German"}),
        ("post", "redirects", {"from": "old", "to": "/new"}),
        ("put", "pages/ai_use", {"title": "AI", "content": ["We."]}),
        ("patch", "categories/history", {"description": "What was."}),
        ("post", "authors", {"display_name": "Grace", "website": "grace.example"}),
        ("get", "posts?order_by=date&status=any", None),
        ("get", "posts?page=abc", None),
        ("get", "categories?search=x", None),
        ("get", "views/top?days=month", None),
        ("get", "posts/fog-and-rain/views?start=2026-11-01", None),
    ],
)
def test_the_api_says_the_same(method: str, path: str, sent: object) -> None:
    Blog.make()
    client = client_with("read", "write", "publish")
    before = stored_beside_tokens()

    response = client.generic(method.upper(), f"/blog/api/v1/{path}", json.dumps(sent) if sent else "",
                              content_type="application/json")  # fmt: skip

    assert response.status_code in {404, 422}
    message = response.json()["error"]["message"]
    assert re.search(r"instead of|must be|has the id|Leave \w+ out", message), message
    assert stored_beside_tokens() == before
