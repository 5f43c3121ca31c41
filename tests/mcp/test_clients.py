"""The official Python SDK over a real socket, with both families of versions, and the pages that readers get."""

from typing import Any

import anyio
import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from mcp.types import ResourceTemplateReference

from blog_engine.mcp import definitions
from tests.mcp.conftest import Site, answered, connected, refused, run
from tests.requirements import requirement

pytestmark = pytest.mark.xdist_group("served")

MODES = {"auto": "2026-07-28", "legacy": "2025-11-25", "2026-07-28": "2026-07-28"}
"""The modes of the client, and the version that each negotiates."""

AN_ERROR_STATUS = (-32603, "Server returned an error response")
"""How the client reports a response that is not a message (docs/how-to/troubleshooting.md)."""

WORKFLOWS = ["install", "publish", "update", "adopt", "policy-pages", "report"]


@requirement("agents.clients")
@pytest.mark.parametrize(("mode", "version"), MODES.items())
def test_a_client_agrees_on_the_newest_version_of_its_family(site: Site, mode: str, version: str) -> None:
    async def story() -> None:
        async with connected(site, mode=mode) as client:
            listed = await client.list_tools()

            assert client.protocol_version == version
            assert [tool.name for tool in listed.tools] == [tool.name for tool in definitions()]
            assert len(listed.tools) == 31

    run(story)


@requirement("agents.clients")
@pytest.mark.parametrize("mode", MODES)
def test_a_client_takes_a_post_through_its_life(site: Site, mode: str) -> None:
    async def story() -> None:
        async with connected(site, mode=mode) as client:
            draft = await _draft(client, site, mode)
            await _release(client, site, draft)
            await _correct(client, site, draft)
            await _look_back(client, draft)
            await _withdraw(client, site, draft)

    run(story)


@requirement("agents.clients")
@pytest.mark.parametrize("mode", MODES)
def test_a_client_finds_the_workflows(site: Site, mode: str) -> None:
    async def story() -> None:
        async with connected(site, mode=mode) as client:
            listed = await client.list_prompts()
            workflow = await client.get_prompt("publish")

        assert [prompt.name for prompt in listed.prompts] == WORKFLOWS
        assert [message.role for message in workflow.messages] == ["user"]
        assert "blog_publish_post" in workflow.messages[0].content.text

    run(story)


@requirement("agents.clients", "agents.completion")
@pytest.mark.parametrize("mode", MODES)
def test_a_client_reads_a_skill_and_completes_its_name(site: Site, mode: str) -> None:
    async def story() -> None:
        async with connected(site, mode=mode) as client:
            listed = await client.list_resources()
            read = await client.read_resource(listed.resources[1].uri)
            template = ResourceTemplateReference(type="ref/resource", uri="skill://{name}/SKILL.md")
            completed = await client.complete(template, {"name": "name", "value": "pu"})

        assert [resource.name for resource in listed.resources] == WORKFLOWS
        assert read.contents[0].text.startswith("---\nname: publish\n")
        assert completed.completion.values == ["publish"]

    run(story)


@requirement("agents.clients")
@pytest.mark.parametrize("mode", MODES)
def test_a_client_reads_a_post_as_resource(site: Site, mode: str) -> None:
    async def story() -> None:
        async with connected(site, mode=mode) as client:
            saved = await answered(client, "blog_save_draft", title=f"Read by {mode}", body="Tar the *rope* first.\n")
            templates = await client.list_resource_templates()
            uri = templates.resource_templates[0].uri_template.replace("{slug}", saved["post"]["slug"])
            read = await client.read_resource(uri)

        assert [(text.uri, text.mime_type) for text in read.contents] == [(uri, "text/markdown")]
        assert "Tar the *rope* first." in read.contents[0].text

    run(story)


@requirement("agents.clients")
def test_two_clients_at_once_do_not_meet(site: Site) -> None:
    saved: dict[str, str] = {}

    async def save_five(mode: str) -> None:
        async with connected(site, mode=mode) as client:
            for number in range(5):
                answer = await answered(client, "blog_save_draft", title=f"Draft {number} over {mode}", body="Text.\n")
                saved[answer["post"]["slug"]] = answer["post"]["title"]

    async def both() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(save_five, "legacy")
            tasks.start_soon(save_five, "2026-07-28")

    run(both)

    assert sorted(saved.values()) == sorted(
        f"Draft {number} over {mode}" for mode in ("legacy", "2026-07-28") for number in range(5)
    )


@requirement("agents.clients", "agents.unauthenticated")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_client_with_a_wrong_token_does_not_connect(site: Site, mode: str) -> None:
    async def story() -> None:
        async with connected(site, mode=mode, token="be_wrong"):
            pass

    with pytest.raises(MCPError) as raised:
        run(story)

    assert (raised.value.error.code, raised.value.error.message) == AN_ERROR_STATUS


@requirement("agents.clients", "agents.unauthenticated")
def test_a_client_with_a_wrong_token_and_no_handshake_fails_at_its_first_call(site: Site) -> None:
    async def story() -> None:
        async with connected(site, mode="2026-07-28", token="be_wrong") as client:
            await client.list_tools()

    with pytest.raises(MCPError) as raised:
        run(story)

    assert (raised.value.error.code, raised.value.error.message) == AN_ERROR_STATUS


async def _draft(client: Client, site: Site, mode: str) -> dict[str, Any]:
    """Save a draft that only the preview link shows."""
    before = await answered(client, "blog_list_posts", status="draft")

    saved = await answered(
        client,
        "blog_save_draft",
        external_id=f"ropes-{mode}",
        title=f"Ropes over {mode}",
        description="Which ropes survive ice, and how we tested them.",
        body="Four ropes hung over the quay for ninety days.\n",
        author={"name": "Mina Holt"},
        provenance="ai_assisted",
    )
    post: dict[str, Any] = saved["post"]
    after = await answered(client, "blog_list_posts", status="draft")
    checked = await answered(client, "blog_check_post", id=post["id"])
    link = await answered(client, "blog_get_preview_link", id=post["slug"])
    preview = site.page(link["preview_url"])

    assert saved["created"] is True
    assert after["total"] == before["total"] + 1
    assert after["posts"][0]["id"] == post["id"]
    # The finding about the new author is one of the write.
    assert checked["findings"] == [one for one in saved["findings"] if one["code"] != "author_created"]
    assert link["revision_identifier"] == post["revision_identifier"]
    assert preview.status_code == 200
    assert "for ninety days" in preview.text
    assert site.page(post["url"]).status_code == 404
    return post


async def _release(client: Client, site: Site, draft: dict[str, Any]) -> None:
    """Approve exactly that draft and publish it."""
    approved = await answered(
        client,
        "blog_approve_revision",
        id=draft["id"],
        revision_identifier=draft["revision_identifier"],
        name="Rosa Reviewer",
        facts_checked=True,
    )
    published = await answered(client, "blog_publish_post", id=draft["id"])
    page = site.page(draft["url"])

    assert approved["records"] == {"revision": "new", "publication": None, "approval": "sent"}
    assert published["records"] == {"revision": "same", "publication": "first", "approval": None}
    assert published["post"]["status"] == "published"
    assert published["post"]["approved"] is True
    assert published["post"]["body_length"] == draft["body_length"]
    assert page.status_code == 200
    assert "for ninety days" in page.text


async def _correct(client: Client, site: Site, draft: dict[str, Any]) -> None:
    """Change the public text: refused without a kind of change, and as a correction with a note."""
    body = "Four ropes hung over the quay for ninety-one days.\n"
    note = "The test took ninety-one days."

    refusal = await refused(client, "blog_update_post", id=draft["id"], body=body)
    unchanged = site.page(draft["url"])
    await answered(client, "blog_correct_post", id=draft["id"], body=body, note=note)
    corrected = site.page(draft["url"])

    assert refusal["code"] == "change_type_required"
    assert "for ninety days" in unchanged.text
    assert note not in unchanged.text
    assert "for ninety-one days" in corrected.text
    assert note in corrected.text


async def _look_back(client: Client, draft: dict[str, Any]) -> None:
    """Check that the history has who published what, and which text was approved."""
    records = await answered(client, "blog_get_post_records", id=draft["id"])

    released, corrected = records["publications"]
    assert [publication["entry_type"] for publication in (released, corrected)] == ["first", "correction"]
    assert [publication["released_by"] for publication in (released, corrected)] == ["Ada's agent", "Ada's agent"]
    [approval] = records["approvals"]
    assert approval["revision_identifier"] == released["revision_identifier"] == draft["revision_identifier"]
    assert approval["revision_identifier"] != corrected["revision_identifier"]
    assert (approval["reviewer_name"], approval["facts_checked"]) == ("Rosa Reviewer", True)


async def _withdraw(client: Client, site: Site, draft: dict[str, Any]) -> None:
    """Withdraw the post."""
    withdrawn = await answered(client, "blog_unpublish_post", id=draft["id"])

    assert withdrawn["post"]["status"] == "draft"
    assert site.page(draft["url"]).status_code == 410
