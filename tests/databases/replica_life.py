"""A blog with a lagging read replica, in a process with that router; prints the results as JSON.

The replica refuses writes, and gets new rows only when ``catch_up`` copies them.
"""

import json
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from typing import Any

import django

django.setup()

from django.core.files.uploadedfile import SimpleUploadedFile  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connections  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402

from blog_engine.services.tokens import create_token  # noqa: E402
from tests.support.databases import run_sql  # noqa: E402
from tests.support.factories import ARTICLE  # noqa: E402
from tests.support.images import png  # noqa: E402

seen: dict[str, Any] = {}
client = Client()
secret = create_token("Ada", scopes=["publish", "write", "read"], now=timezone.now()).secret
headers = {"Authorization": f"Bearer {secret}"}


def call(method: str, path: str, **body: Any) -> Any:
    """Call the API; record the status, and return the answer."""
    answer = getattr(client, method)(f"/blog/api/v1/{path}", body, content_type="application/json", headers=headers)
    seen[f"{method} {path}"] = answer.status_code
    return answer.json() if answer.content else None


def tool(name: str, **arguments: Any) -> Any:
    """Call a tool of the agent endpoint."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
    more = {"MCP-Protocol-Version": "2025-11-25", "Accept": "application/json, text/event-stream"}
    answer = client.post("/blog/mcp", message, content_type="application/json", headers=headers | more)
    return answer.json()["result"]


def command(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def catch_up() -> None:
    """Copy the written rows to the replica."""
    names = [str(connections[alias].settings_dict["NAME"]) for alias in ("default", "replica")]
    vendor = connections["default"].vendor
    connections.close_all()
    if vendor == "sqlite":
        with sqlite3.connect(names[0]) as source, sqlite3.connect(names[1]) as target:
            source.backup(target)
    else:
        run_sql(f"DROP DATABASE {names[1]} WITH (FORCE)")
        run_sql(f"CREATE DATABASE {names[1]} TEMPLATE {names[0]}")


@contextmanager
def queries() -> Iterator[dict[str, list[str]]]:
    """Collect the statements on each database in the block, except the count of views."""
    made: dict[str, list[str]] = {"default": [], "replica": []}

    def note(execute: Any, sql: str, *rest: Any) -> Any:
        if "pageview" not in sql:
            made[rest[-1]["connection"].alias].append(sql)
        return execute(sql, *rest)

    with connections["default"].execute_wrapper(note), connections["replica"].execute_wrapper(note):
        yield made


def page(path: str) -> tuple[int, str]:
    answer = client.get(path)
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return answer.status_code, body.decode("utf-8", "replace")


# Everything is written while the replica is empty.
post = call("post", "posts", title="Winter", slug="winter", body="Snow.", category="Weather", tags=["Cold"])["post"]
number = post["id"]
call("patch", "posts/winter", body="Snow and ice.")
identifier = call("get", "posts/winter")["revision_identifier"]
call("post", "posts/winter/approvals", revision_identifier=identifier, name="Rosa", facts_checked=True)
call("post", "posts/winter/connections", connections=[], third_party_paid=False, declared_by="Ada")
call("post", "posts/winter/publish")
call("get", "posts/winter/records")
call("post", "adoptions", **ARTICLE)
call("post", "adoptions", **ARTICLE | {"body": "It leaves at eleven."})
call("post", "categories", name="Ships")
call("post", "series", name="Crossings")
call("post", "authors", name="Mina Holt")
call("post", "redirects", old_path="/blog/snow", new_path="/blog/winter")
call("put", "pages/corrections", title="Corrections", body="We correct.", status="published")
call("post", "posts", title="Gone", slug="gone", body="Soon gone.", publish=True)
call("delete", "posts/gone")
upload = client.post(
    "/blog/api/v1/images", {"file": SimpleUploadedFile("quay.png", png(), "image/png")}, headers=headers
)
seen["upload"] = upload.status_code
picture = upload.json()["url"].removeprefix("https://example.com")
seen["tool"] = tool("blog_save_draft", title="By a tool", slug="tool")["isError"]
call("post", "posts", title="Due", slug="due", body="Due.")
call("post", "posts/due/publish", publish_at="2999-01-01T00:00:00Z")
with connections["default"].cursor() as cursor:
    cursor.execute("UPDATE blog_engine_post SET publish_at = '2020-01-01 00:00:00+00:00' WHERE slug = 'due'")
seen["publish_due_posts"] = command("publish_due_posts").strip()
seen["render_posts"] = command("render_posts") is not None

# Readers find a post by its URL that the replica does not have; lists lag.
seen["new pages"] = {
    path: page(path)[0] for path in ("/blog/winter", "/blog/snow", "/blog/gone", picture, "/blog/nowhere", "/blog/tool")
}
seen["new in list"] = "Winter" in page("/blog/")[1]

catch_up()
with queries() as made:
    seen["read pages"] = [page(path)[0] for path in ("/blog/winter", "/blog/", "/blog/feed.xml", "/blog/search?q=snow")]
seen["read from the replica only"] = (made["default"], len(made["replica"]) > 0)
seen["in list"] = "Winter" in page("/blog/")[1]

# The replica lags again: readers get what it has, the API what was written.
call("patch", "posts/winter", title="Spring", slug="spring", change="substantive")
seen["renamed"] = [page("/blog/winter")[0], page("/blog/spring")[0], "Spring" in page("/blog/spring")[1]]
seen["renamed over the API"] = call("get", f"posts/{number}")["title"]
call("post", f"posts/{number}/unpublish")
seen["withdrawn"] = page("/blog/winter")[0]
call("post", f"posts/{number}/publish")
catch_up()
seen["after all"] = [page("/blog/winter")[0], page("/blog/spring")[0]]
command("revoke_blog_token", f"PREFIX={secret[:8]}")
call("get", "posts")
sys.stdout.write(json.dumps(seen))
