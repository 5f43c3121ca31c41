"""ARCHITECTURE.md names what there is: its packages, and the functions of its flows in the order of real runs."""

import json
import re
import sys
import tomllib
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from pkgutil import resolve_name
from types import FrameType

import pytest
from django.contrib.auth import get_user_model
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from blog_engine.exporting.export import export_blog
from blog_engine.importing.pipeline import ImportOptions, run_import
from blog_engine.importing.report_files import ReportFiles
from blog_engine.models import Post
from tests.importing.wordpress.exports import export, item
from tests.support.clients import client_with
from tests.support.factories import NOW, save

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
FLOWS = {
    title: re.findall(r"^\d+\. `([\w.]+)`", text, re.MULTILINE)
    for title, text in re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
}


def patch(client: Client, folder: Path) -> HttpResponse:
    data = {"body": "Silt and *clay*.", "tags": ["soil"], "change": "substantive"}
    return client.patch("/blog/api/v1/posts/public", data, content_type="application/json")


def publish_over_mcp(client: Client, folder: Path) -> HttpResponse:
    params = {"name": "blog_publish_post", "arguments": {"id": "draft"}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
    return client.post("/blog/mcp", json.dumps(message), content_type="application/json", headers=headers)


def read_page(client: Client, folder: Path) -> HttpResponse:
    response = client.get("/blog/public", headers={"User-Agent": "Mozilla/5.0"})
    response.close()
    return response


def save_at_the_desk(client: Client, folder: Path) -> HttpResponse:
    staff = Client()
    staff.force_login(get_user_model().objects.create_superuser("root", password="root"))
    draft = Post.objects.get(slug="draft")
    path = reverse("admin:blog_engine_post_change", args=[draft.pk])
    return staff.post(path, {"title": "New title", "provenance": draft.provenance}, follow=True)


def import_from_wordpress(client: Client, folder: Path) -> None:
    source = export(folder, item(1, content="<p>Silt and <em>clay</em>.</p>"))
    run_import(ImportOptions("wordpress", str(source)), ReportFiles(folder / "report.json"), now=NOW, out=StringIO())


def export_everything(client: Client, folder: Path) -> None:
    list(export_blog(folder / "export", now=NOW))


RUNS: dict[str, Callable[[Client, Path], HttpResponse | None]] = {
    "A write over HTTP": patch,
    "A write over MCP": publish_over_mcp,
    "A write at the desk": save_at_the_desk,
    "A page": read_page,
    "Import of a blog": import_from_wordpress,
    "Export of a blog": export_everything,
}


def functions_of(run: Callable[[], HttpResponse | None]) -> list[str]:
    """Return the functions of the package that a request or a command calls, in their order."""
    called: list[str] = []

    def note(frame: FrameType, event: str, argument: object) -> None:
        module = frame.f_globals.get("__name__", "")
        if event == "call" and module.startswith("blog_engine."):
            called.append(f"{module}.{frame.f_code.co_qualname}")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        response = run()
    finally:
        sys.setprofile(before)
    if response is not None:
        assert response.status_code == 200, response.content
    return called


@pytest.mark.parametrize("name", sorted({name for names in FLOWS.values() for name in names}))
def test_every_function_on_the_page_exists(name: str) -> None:
    assert callable(resolve_name(name))


@pytest.mark.django_db
@pytest.mark.usefixtures("own_images")
@pytest.mark.parametrize("flow", RUNS)
def test_a_real_run_calls_the_functions_of_its_flow_in_their_order(flow: str, tmp_path: Path) -> None:
    save(slug="draft", title="Draft")
    save(slug="public", title="Public", publish=True)
    client = client_with("read", "write", "publish")

    called = iter(functions_of(lambda: RUNS[flow](client, tmp_path)))

    assert FLOWS[flow]
    assert [name for name in FLOWS[flow] if name not in called] == []


def test_the_packages_are_those_of_the_import_contract() -> None:
    (contract,) = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    layers = [re.findall(r"\w+", layer) for layer in contract["layers"]]

    picture = re.search(r"```\n(.*?)```", PAGE, re.DOTALL)
    assert picture is not None
    shown = [re.split(r" {2,}", line)[0].split() for line in picture[1].splitlines()]

    assert shown == layers


def test_the_desk_reads_the_database_with_queries_alone() -> None:
    modules = sorted((ROOT / "blog_engine" / "admin").glob("*.py"))

    assert modules
    assert [path.name for path in modules if re.search(r"\.objects\b|_default_manager", path.read_text("utf-8"))] == []
