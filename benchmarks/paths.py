"""Count the modules and the queries that a request passes through.

Run ``python -m benchmarks.paths`` in a checkout of any version; ``--list`` names the modules and the queries. It uses
a warm process, an empty SQLite database in memory, and of the package only what clients see. Statements that only begin
and end transactions are not counted.
"""

import argparse
import json
import logging
import os
import sys
from collections.abc import Callable
from io import StringIO
from itertools import permutations
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

POSTS = "/blog/api/v1/posts"
MCP_VERSION = "2025-11-25"
BODIES = [f"{' '.join(words)}." for words in permutations(["Sand", "silt", "clay", "loam"])]
"""Texts with the same words: a change from one to another adds none to the search index."""
TRANSACTION = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")


class Cost(NamedTuple):
    """What a request passed through: paths of modules below the package, in order, and SQL statements."""

    modules: list[str]
    queries: list[str]


class Blog:
    """A blog with one published post, and a client that may do everything."""

    def __init__(self) -> None:
        from django.core.management import call_command
        from django.test import Client

        secret = StringIO()
        call_command("migrate", verbosity=0)
        call_command("create_blog_token", "NAME=editor", stdout=secret, stderr=StringIO())
        self.client = Client(headers={"Authorization": f"Bearer {secret.getvalue().strip()}"})
        self.patches = self.drafts = 0
        self.create("published", publish=True)

    def create(self, slug: str, **fields: Any) -> None:
        """Make a post."""
        fixed = {"slug": slug, "title": "Soil", "body": BODIES[0], "tags": ["soil"], "provenance": "human_written"}
        self.send("POST", POSTS, fixed | fields)

    def send(self, method: str, path: str, data: Any = None, **headers: str) -> None:
        """Send a request, and raise ``SystemExit`` unless it succeeds."""
        body = "" if data is None else json.dumps(data)
        response = self.client.generic(method, path, body, "application/json", headers=headers)
        if response.status_code >= 400 or b'"isError":true' in response.content:
            raise SystemExit(f"{method} {path}: {response.status_code} {response.content.decode()}")

    def prepare_patch(self) -> Callable[[], None]:
        """Return a change of the published post."""
        self.patches += 1
        data = {"body": BODIES[self.patches], "tags": ["soil"], "change": "substantive"}
        return lambda: self.send("PATCH", f"{POSTS}/published", data)

    def prepare_get(self) -> Callable[[], None]:
        """Return the reading of the post by a client of the API."""
        return lambda: self.send("GET", f"{POSTS}/published")

    def prepare_page(self) -> Callable[[], None]:
        """Return the reading of the post's page."""
        return lambda: self.send("GET", "/blog/published")

    def prepare_mcp_publish(self) -> Callable[[], None]:
        """Return the publication of a new draft by an agent."""
        self.drafts += 1
        slug = f"draft-{self.drafts}"
        self.create(slug)
        call = {"name": "blog_publish_post", "arguments": {"id": slug}}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": MCP_VERSION}
        return lambda: self.send("POST", "/blog/mcp", message, **headers)


def cost_of(request: Callable[[], None]) -> Cost:
    """Run a request, and return what it passes through."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    import blog_engine

    package = f"{Path(blog_engine.__file__).parent}{os.sep}"
    seen: dict[str, None] = {}

    def note(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            seen.setdefault(frame.f_code.co_filename)

    with CaptureQueriesContext(connection) as queries:
        sys.setprofile(note)
        try:
            request()
        finally:
            sys.setprofile(None)
    modules = [name.removeprefix(package) for name in seen if name.startswith(package)]
    statements = [query["sql"] for query in queries]
    return Cost(modules, [sql for sql in statements if not sql.startswith(TRANSACTION)])


def main() -> None:
    """Print the cost of each request."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--list", action="store_true", help="name the modules and the queries")
    is_listed = options.parse_args().list
    os.environ |= {"DATABASE_URL": "sqlite://:memory:", "DEBUG": "on", "CACHE_URL": ""}
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "example_site.settings")
    import django

    django.setup()
    from django.test.utils import setup_test_environment

    logging.disable()
    setup_test_environment(debug=False)
    blog = Blog()
    requests = {
        "PATCH post": blog.prepare_patch,
        "GET post": blog.prepare_get,
        "GET page": blog.prepare_page,
        "MCP publish": blog.prepare_mcp_publish,
    }
    for prepare in requests.values():
        prepare()()
    for name, prepare in requests.items():
        cost = cost_of(prepare())
        print(f"{name:12} {len(cost.modules):3} modules {len(cost.queries):3} queries")
        for line in [*cost.modules, *cost.queries] if is_listed else ():
            print(f"    {line[:150]}")


if __name__ == "__main__":
    main()
