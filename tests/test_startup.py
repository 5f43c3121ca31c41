"""What a process imports: little before its first request, and everything where a server asks for it."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from benchmarks.speed.host import write_host
from blog_engine.deferred import DeferredPattern, DeferredURLs, DeferredView
from tests.requirements import requirement
from tests.support.programs import ROOT, environment, output_of

NOT_AT_START = (
    *("PIL", "anyio", "bleach", "cryptography", "django_filters", "frontmatter", "h11", "httpcore", "httpx"),
    *("latex2mathml", "lxml", "magic", "markdown_it", "mdit_py_plugins", "nh3", "oauth2_provider", "oauthlib"),
    *("pygments", "rest_framework", "tqdm", "webauthn", "webencodings", "yaml"),
    *("blog_engine.api", "blog_engine.doctor", "blog_engine.exporting", "blog_engine.fetching", "blog_engine.findings"),
    *("blog_engine.importing", "blog_engine.inputs.posts", "blog_engine.mcp", "blog_engine.operations"),
    *("blog_engine.outputs", "blog_engine.public", "blog_engine.reader.view", "blog_engine.services"),
    *("blog_engine.surface_report", "blog_engine.admin.writing"),
)
"""What ``django.setup()`` and the checks of a site import nothing of."""
NOT_FOR_STORED_PAGES = (
    *("bleach", "h11", "httpcore", "httpx", "latex2mathml", "markdown_it", "nh3", "pygments", "rest_framework", "yaml"),
    *("PIL.Image", "blog_engine.api", "blog_engine.inputs.posts", "blog_engine.mcp", "blog_engine.operations"),
    *("blog_engine.outputs", "blog_engine.services.posts"),
)

_START = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "host_settings"
import django
django.setup()
"""
_PRINT = """
import json
print(json.dumps(sorted(sys.modules)))
"""
_POST = """
from django.core.management import call_command
call_command("migrate", verbosity=0)
from django.utils import timezone
from blog_engine import services
from blog_engine.actor import Actor, Scope
from blog_engine.inputs.posts import SavePost
body = "## Tides\\n\\nHigh water at **six**, $x^2$.\\n\\n```python\\nprint(1)\\n```\\n"
data = SavePost.from_data({"title": "Tide table", "body": body, "category": "Sea", "tags": ["ferry"]})
services.publish_new_post(data, actor=Actor("ada", list(Scope)), now=timezone.now())
from blog_engine.models import ApiToken
from blog_engine.services.tokens import create_token
secret = create_token(name="agent", scopes=list(Scope), now=timezone.now()).secret
print(secret)
"""
_ASKED = [
    "/blog/",
    "/blog/tide-table",
    "/blog/tide-table.md",
    "/blog/category/sea",
    "/blog/feed.xml",
    "/blog/sitemap.xml",
]
_ASK = f"""
from django.test import Client
def get(path):
    return Client(headers={{"host": "journal.example"}}).get(path).status_code
ASKED = {_ASKED!r}
"""


def run(folder: Path, *program: str) -> str:
    """Run a program in the folder of the host, and return what it prints."""
    paths = environment({"PYTHONPATH": f"{folder}:{ROOT}"}, without=("DJANGO_SETTINGS_MODULE", "DATABASE_URL"))
    return output_of([sys.executable, "-c", "\n".join(program)], env=paths).strip()


def imported(modules: list[str], unwanted: tuple[str, ...]) -> list[str]:
    return [name for name in modules if any(f"{name}.".startswith(f"{one}.") for one in unwanted)]


@pytest.fixture
def host(tmp_path: Path) -> Path:
    """The folder of a site as small as the README's."""
    write_host(tmp_path)
    return tmp_path


@requirement("host.imports")
def test_starting_and_checking_a_site_imports_no_parser_and_no_view(host: Path) -> None:
    check = "from django.core.management import call_command\ncall_command('check', verbosity=0)"

    started = json.loads(run(host, _START, _PRINT))
    checked = json.loads(run(host, _START, check, _PRINT).splitlines()[-1])

    assert imported(started, NOT_AT_START) == []
    assert imported(checked, NOT_AT_START) == []
    assert {"blog_engine.models", "blog_engine.checks"} <= {*started}
    assert {"host_urls", "blog_engine.reader.urls", "blog_engine.templatetags.blog_desk"} <= {*checked}


@requirement("host.imports")
def test_stored_pages_are_shown_without_what_rendered_them(host: Path) -> None:
    run(host, _START, _POST)

    answers, modules = run(host, _START, _ASK, "print([get(path) for path in ASKED[:2]])", _PRINT).splitlines()

    assert answers == "[200, 200]"
    assert imported(json.loads(modules), NOT_FOR_STORED_PAGES) == []


@requirement("host.preload")
def test_a_process_that_loads_everything_imports_nothing_for_a_request(host: Path) -> None:
    secret = run(host, _START, _POST)
    preload = (
        "from blog_engine.public import preload\npreload()\nbefore = {*sys.modules}\nfrom django.test import Client"
    )
    ask = f"""
client = Client(headers={{"host": "journal.example", "authorization": "Bearer {secret}"}})
print([get(path) for path in ASKED])
api = client.get("/blog/api/v1/posts"), client.get("/blog/api/v1/schema?format=yaml")
changed = client.patch(
    "/blog/api/v1/posts/tide-table", {{"body": "```go\\\\n1\\\\n``` $x$", "change": "maintenance"}}, "application/json"
)
tools = client.post("/blog/mcp", {{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}}, "application/json")
print([answer.status_code for answer in (*api, changed, tools)])
print(client.get("/admin/blog_engine/post/add/").status_code)
print(json.dumps(sorted({{*sys.modules}} - before)))
"""

    pages, answers, desk, modules = run(host, _START, preload, "import json", _ASK, ask).splitlines()

    assert (pages, answers, desk) == (str([200] * len(_ASKED)), "[200, 200, 200, 200]", "302")
    # Pygments imports the module of a language when it is written.
    packages = {name.partition(".")[0] for name in json.loads(modules) if not name.startswith("pygments.lexers.")}
    assert packages & {"blog_engine", *(name for name in NOT_AT_START if "." not in name)} == set()


@requirement("host.imports")
def test_first_requests_of_many_threads_are_answered_as_one_after_another(host: Path) -> None:
    secret = run(host, _START, _POST)
    ask = f"""
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from django.urls import get_resolver
paths = [*ASKED, "/blog/search?q=water", "/blog/api/v1/posts", "/blog/api/v1/schema", "/blog/tide-table/history",
         "/admin/", "/blog/llms.txt"]
together = Barrier(len(paths))
def first(path):
    together.wait(30)
    return Client(headers={{"host": "journal.example", "authorization": "Bearer {secret}"}}).get(path).status_code
with ThreadPoolExecutor(len(paths)) as pool:
    print(list(pool.map(first, paths)))
"""

    assert run(host, _START, _ASK, ask) == str([*[200] * 10, 302, 200])


def loaded(patterns: list[Any]) -> list[Any]:
    """Return the views of patterns, below includes too."""
    found: list[Any] = []
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            found += loaded(pattern.url_patterns)
        elif isinstance(pattern, DeferredURLs):
            found += loaded(pattern._resolver.url_patterns)
        elif isinstance(pattern, URLPattern):
            view = pattern.callback
            found.append(view.load() if isinstance(view, DeferredView) else view)
    return found


def test_every_view_that_a_url_names_exists() -> None:
    views = loaded(get_resolver().url_patterns)

    assert len(views) > 150
    assert all(callable(view) and not isinstance(view, DeferredView) for view in views)


def test_a_pattern_has_its_view_once_a_request_had_it() -> None:
    [pattern] = [
        one
        for one in get_resolver().url_patterns
        if isinstance(one, URLResolver) and one.app_name == "blog_engine"
        for one in one.url_patterns
        if isinstance(one, DeferredPattern) and one.name == "mcp"
    ]

    match = pattern.resolve("mcp")

    assert match is not None
    assert match.func is pattern.callback
    assert match.func.csrf_exempt is True
