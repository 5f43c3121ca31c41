"""The accepted body formats, in the list of tools, in the OpenAPI document and in refusals."""

import json
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from tests.requirements import requirement
from tests.support.clients import ask, call_tool, client_with
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db

WRITING = ["blog_save_draft", "blog_publish_post", "blog_update_post", "blog_correct_post", "blog_adopt_post"]
FORMATS = pytest.mark.parametrize("accepted", [["markdown"], ["rich_text"], ["markdown", "rich_text"]], ids=" ".join)


def accept(settings: Settings, formats: list[str]) -> None:
    settings.BLOG_ENGINE = blog_settings(body_formats=formats, default_body_format=formats[0])


@requirement("agents.tools.formats")
@FORMATS
def test_the_tools_offer_what_this_blog_accepts(settings: Settings, accepted: list[str]) -> None:
    accept(settings, accepted)

    tools = {
        tool["name"]: tool["inputSchema"]["properties"] for tool in ask(client_with("read"), "tools/list")["tools"]
    }

    offered = {name: fields["body_format"]["enum"] for name, fields in tools.items() if "body_format" in fields}
    assert offered == dict.fromkeys(WRITING, accepted)


@requirement("agents.tools.formats")
@FORMATS
@pytest.mark.parametrize("form", ["json", pytest.param("yaml", marks=pytest.mark.heavy)])
def test_the_served_openapi_document_offers_it_too(
    settings: Settings, client: Client, accepted: list[str], form: str
) -> None:
    accept(settings, accepted)

    served = client.get(f"/blog/api/v1/schema?format={form}")

    assert served.status_code == 200
    if form == "json":
        paths = json.loads(served.content)["paths"]
        sent: Any = paths["/posts"]["post"]["requestBody"]["content"]["application/json"]["schema"]
        assert sent["properties"]["body_format"]["enum"] == accepted


@requirement("agents.tools.formats")
@FORMATS
@pytest.mark.parametrize("sent", ["markdown", "rich_text", "html"])
def test_a_refusal_names_what_this_blog_accepts(settings: Settings, accepted: list[str], sent: str) -> None:
    accept(settings, accepted)

    result = call_tool(client_with("write"), "blog_save_draft", {"title": "Frost", "body_format": sent})

    assert result["isError"] is (sent not in accepted)
    if sent not in accepted:
        error = result["structuredContent"]["error"]
        assert error["code"] == "body_format_not_permitted"
        assert [name for name in ("markdown", "rich_text") if name in error["message"]] == accepted
