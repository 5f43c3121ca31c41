"""Every call of a tool or of the API that can write logs one line, without what was sent."""

import json
import logging
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from blog_engine.actor import Scope
from blog_engine.mcp import Tool, definitions
from blog_engine.models import ApiToken
from tests.mcp.parity import ALL, CASES, Arguments, corresponding
from tests.requirements import requirement
from tests.support.blogs import named
from tests.support.clients import call_of, call_tool, client_with, endpoint_of, make_secret, post
from tests.support.hosts import blog_settings
from tests.support.tables import everything_logged, failing, undone, write_lines

_BEFORE_THE_SERVICE = {"scope_required", "unknown_field", "validation_failed", "approval_incomplete"}


def as_tool(client: Client, tool: Tool, arguments: Arguments) -> tuple[dict[str, Any], set[str]]:
    """Return the answer of the tool, and the operations that it can run."""
    answer: dict[str, Any] = call_tool(client, tool.name, arguments)["structuredContent"]
    return answer, {preset.operation.name for preset in tool.presets()}


def over_http(client: Client, tool: Tool, arguments: Arguments) -> tuple[dict[str, Any], set[str]]:
    """Return the answer of the API call with the same meaning, and its operation."""
    response: Any = corresponding(tool.name, arguments).by(client)
    endpoint = endpoint_of(response.wsgi_request)
    assert endpoint is not None
    return json.loads(response.content or b"{}"), {endpoint.operation.name}


def expected(arguments: Arguments, answer: dict[str, Any]) -> dict[str, Any]:
    """Return the end of the log line of a call, without the post."""
    code = answer["error"]["code"] if "error" in answer else None
    line = {"outcome": "refused", "code": code} if code else {"outcome": "done"}
    is_dry_run = arguments.get("dry_run") is True and code not in _BEFORE_THE_SERVICE
    return line | ({"dry_run": True} if is_dry_run else {})


@pytest.mark.heavy
@pytest.mark.usefixtures("small")
@requirement("host.log")
@pytest.mark.parametrize("tool", [tool for tool in definitions() if tool.scope is not Scope.READ], ids=lambda x: x.name)
@pytest.mark.parametrize("way", [as_tool, over_http])
def test_a_write_is_one_line(tool: Tool, way: Any, caplog: pytest.LogCaptureFixture, subtests: pytest.Subtests) -> None:
    for case in (case for case in CASES if case.tool == tool.name):
        with subtests.test(case.what):
            client, arguments = client_with(*case.scopes), named(case.arguments)
            caller = {"actor": "Ada", "actor_id": f"token:{ApiToken.objects.latest('id').pk}"}
            caplog.clear()

            with undone(), caplog.at_level(logging.INFO):
                answer, operations = way(client, tool, arguments)

            ((level, line),) = write_lines(caplog)
            operation, post = line.pop("operation"), line.pop("post", None)
            assert (level, line) == ("INFO", caller | expected(arguments, answer))
            assert operation in operations
            if "post" in answer:
                assert post == answer["post"]["id"]


_SLOW = {"blog_doctor", "blog_get_surface_report"}


@pytest.mark.usefixtures("small")
@requirement("host.log.secrets")
@pytest.mark.parametrize("way", [as_tool, over_http])
def test_reading_leaves_no_line(agent: Client, way: Any, caplog: pytest.LogCaptureFixture) -> None:
    tools = {tool.name: tool for tool in definitions() if tool.scope is Scope.READ and tool.name not in _SLOW}

    with caplog.at_level(logging.INFO):
        answers = [way(agent, tools[case.tool], named(case.arguments)) for case in CASES if case.tool in tools]

    assert len(answers) > len(tools)
    assert write_lines(caplog) == []


FOG, HARBOUR = 2, 3
"""Their ids in the small blog."""


@pytest.mark.usefixtures("small")
@requirement("host.log")
@pytest.mark.parametrize(
    ("tool", "arguments", "post", "code"),
    [
        ("blog_remove_post", {"id": "fog"}, FOG, None),
        ("blog_update_post", {"id": "harbour", "body": "New."}, HARBOUR, "change_type_required"),
        ("blog_save_draft", {"external_id": "tide-1", "title": ""}, None, "validation_failed"),
        ("blog_publish_post", {"id": 999_999}, None, "not_found"),
        ("blog_save_redirect", {"old_path": "/x", "new_path": "/y", "post_id": HARBOUR}, HARBOUR, None),
        ("blog_save_category", {"name": "Sea"}, None, None),
    ],
)
def test_the_line_has_the_id_of_the_post_once_it_is_known(
    agent: Client,
    tool: str,
    arguments: dict[str, Any],
    post: int | None,
    code: str | None,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.INFO):
        call_tool(agent, tool, arguments)

    ((_, line),) = write_lines(caplog)
    assert (line.get("post"), line.get("code")) == (post, code)


@pytest.mark.django_db
@requirement("host.log.format")
def test_the_line_says_the_same_in_words(caplog: pytest.LogCaptureFixture) -> None:
    agent = Client(headers={"Authorization": f"Bearer {make_secret(name='Zoë' + chr(10) + 'post=7', scopes=ALL)}"})

    with caplog.at_level(logging.INFO):
        call_tool(agent, "blog_save_redirect", {"old_path": "relative"})

    (record,) = (record for record in caplog.records if record.name == "blog_engine.writes")
    fields = record.__dict__["blog_engine"]
    assert list(fields) == [
        *("actor", "actor_id", "operation", "post", "outcome", "code", "error", "duration_ms", "dry_run")
    ]
    parts = [f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in fields.items() if value]
    assert record.getMessage() == " ".join(parts)
    assert 'actor="Zoë\\npost=7"' in record.getMessage()


MARK = "Xyzzy"


def spoiled(attributes: Any) -> dict[str, Any]:
    """Return a post write with a marker in every text."""
    title = f"{MARK} title {attributes}"
    texts = ("description", "search_title", "search_description", "body", "provenance_evidence", "cover_alt")
    connections = {"connections": [{"party": MARK, "relation": MARK}], "third_party_paid": False, "declared_by": MARK}
    return dict.fromkeys((*texts, "note", "change_description", "author", "category", "series"), MARK) | {
        "title": title,
        "slug": f"xyzzy-{attributes}",
        "external_id": f"{MARK}-{attributes}",
        "tags": [MARK],
        "faq": [{"question": MARK, "answer": MARK}],
        "approval": {"name": MARK, "facts_checked": True},
        "connections": connections,
    }


def objecting(post: Any, context: Any) -> list[str]:
    """A hook whose messages repeat the text."""
    return [post.title, post.body]


def crashing(post: Any, context: Any) -> None:
    """A hook with a bug."""
    raise LookupError(post.slug)


@pytest.mark.django_db
@requirement("host.log.secrets")
def test_nothing_of_what_was_sent_is_in_the_log(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    secret = make_secret(scopes=ALL)
    client = Client(headers={"Authorization": f"Bearer {secret}"}, raise_request_exception=False)
    image = {"cover_image": {"url": f"http://{MARK}:{MARK}@127.0.0.1:1/{MARK}.png"}}
    body = f"![{MARK}](http://{MARK}:{MARK}@images.invalid/{MARK}.png?{MARK})"  # only its host can be logged
    page = {"kind": "editorial", "title": MARK, "body": MARK, "approved_by": MARK, "status": "published"}
    source = {"source_system": MARK, "source_id": MARK, "body_format": "markdown"}
    calls: list[tuple[str, dict[str, Any]]] = [
        ("blog_save_draft", spoiled(1)),
        ("blog_save_draft", spoiled(1) | {"external_id": MARK, "title": 7, MARK: MARK}),
        ("blog_publish_post", spoiled(2) | {"change": MARK}),
        ("blog_publish_post", spoiled(2)),
        ("blog_publish_post", spoiled(3) | image),
        ("blog_save_draft", spoiled(4) | {"body": body}),
        ("blog_update_post", {"id": "xyzzy-2", "body": body}),
        ("blog_adopt_post", source | {"title": MARK, "slug": "xyzzy-a", "body": MARK, "old_slugs": ["xyzzy-b"]}),
        ("blog_save_redirect", {"old_path": f"/{MARK}", "new_path": f"/{MARK}/{MARK}"}),
        ("blog_save_author", {"name": f"{MARK} author", "bio": MARK}),
        ("blog_save_site_page", page),
        ("blog_upload_image", {"base64": MARK, "filename": f"{MARK}.png", "content_type": "image/png"}),
        ("blog_remove_post", {"id": "xyzzy-2", "redirect_to": MARK}),
    ]

    with caplog.at_level(logging.INFO):
        for tool, arguments in calls:
            call_tool(client, tool, arguments)
        settings.BLOG_ENGINE = blog_settings(before_publish=objecting)
        call_tool(client, "blog_publish_post", spoiled(5))

    assert len(write_lines(caplog)) == len(calls) + 1
    said = everything_logged(caplog)
    assert MARK.lower() not in said.lower()
    assert secret[8:] not in said


@pytest.mark.django_db
@requirement("host.log")
@pytest.mark.parametrize("way", ["tool", "api"])
def test_a_bug_is_an_error_with_its_class_and_without_its_words(
    settings: Settings, caplog: pytest.LogCaptureFixture, way: str
) -> None:
    settings.BLOG_ENGINE = blog_settings(before_publish=crashing)
    secret = make_secret(scopes=ALL)
    client = Client(headers={"Authorization": f"Bearer {secret}"}, raise_request_exception=False)
    sent = {"title": MARK}

    with caplog.at_level(logging.INFO):
        if way == "tool":
            post(client, call_of("blog_publish_post", sent))
        else:
            client.post("/blog/api/v1/posts", sent | {"publish": True}, content_type="application/json")

    actor = {"actor": "Ada", "actor_id": f"token:{ApiToken.objects.get().pk}"}
    line = {"operation": "save_post", "outcome": "failed", "error": "LookupError"}
    assert write_lines(caplog) == [("ERROR", actor | line)]
    (record,) = (record for record in caplog.records if record.name == "blog_engine.writes")
    assert (record.exc_info, MARK.lower() in record.getMessage().lower()) == (None, False)


@pytest.mark.django_db
@requirement("host.log")
def test_what_the_installation_refuses_is_a_warning(agent: Client, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO), failing(table="blog_engine_post"):
        call_tool(agent, "blog_save_draft", {"title": "Frost", "slug": "frost"})
        call_tool(agent, "blog_list_posts", {})

    ((level, line),) = write_lines(caplog)
    assert (level, line["outcome"], line["code"]) == ("WARNING", "refused", "unavailable")


@pytest.mark.django_db
@requirement("host.log")
def test_a_call_that_could_not_be_counted_is_a_warning(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    agent = client_with(*ALL)
    settings.RATELIMIT_USE_CACHE = "dead"

    with caplog.at_level(logging.INFO):
        call_tool(agent, "blog_save_draft", {"title": "Frost"})
        call_tool(agent, "blog_list_posts", {})

    ((level, line),) = write_lines(caplog)
    assert (level, line["outcome"], line["code"]) == ("WARNING", "refused", "unavailable")
