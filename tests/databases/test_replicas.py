"""A host whose router reads from a lagging replica."""

import json
from pathlib import Path

import pytest
from django.apps import apps

from blog_engine.models import Post
from blog_engine.models.reading import EngineQuerySet, reading_a_page, reading_what_is_written
from tests.requirements import requirement
from tests.support.databases import PrimaryReplica, migrate_site, two_databases
from tests.support.servers import run_python

LIFE = "tests.databases.replica_life"

WRITTEN = {
    "post posts": 201,
    "patch posts/winter": 200,
    "get posts/winter": 200,
    "post posts/winter/approvals": 200,
    "post posts/winter/connections": 200,
    "post posts/winter/publish": 200,
    "get posts/winter/records": 200,
    "post adoptions": 200,
    "post categories": 201,
    "post series": 201,
    "post authors": 201,
    "post redirects": 201,
    "put pages/corrections": 201,
    "delete posts/gone": 200,
    "post posts/due/publish": 202,
    "upload": 201,
    "tool": False,
    "publish_due_posts": "Published due",
    "render_posts": True,
}


@pytest.fixture
def seen(tmp_path: Path) -> dict[str, object]:
    """Return the results of ``replica_life``."""
    with two_databases(tmp_path, "replica") as environment:
        project = environment | {"ROUTER": "tests.support.databases.PrimaryReplica"}
        for alias in ("default", "replica"):
            migrate_site(project, tmp_path / f"{alias}.sqlite3", f"--database={alias}")
        return json.loads(run_python(project | {"READ_ONLY": "1"}, "-m", LIFE))  # type: ignore[no-any-return]


@requirement("host.databases.replica")
@pytest.mark.heavy
def test_a_blog_with_a_lagging_replica(seen: dict[str, object]) -> None:
    assert {name: seen[name] for name in WRITTEN} == WRITTEN
    [picture] = [path for path in seen["new pages"] if "/media/" in path]  # type: ignore[attr-defined]
    assert seen["new pages"] == {
        "/blog/winter": 200,
        "/blog/snow": 301,
        "/blog/gone": 410,
        picture: 302,
        "/blog/nowhere": 404,
        "/blog/tool": 404,
    }
    assert seen["new in list"] is False
    assert seen["read pages"] == [200, 200, 200, 200]
    assert seen["read from the replica only"] == [[], True]
    assert seen["in list"] is True
    assert seen["renamed"] == [200, 200, True]
    assert seen["renamed over the API"] == "Spring"
    assert seen["withdrawn"] == 200
    assert seen["after all"] == [301, 200]
    assert seen["get posts"] == 401


@requirement("host.databases.replica")
def test_every_model_reads_where_the_engine_says() -> None:
    managers = {
        model._meta.label: (type(model._base_manager.all()), type(model._default_manager.all()))
        for model in apps.get_app_config("blog_engine").get_models(include_auto_created=True)
    }

    assert [name for name, found in managers.items() if not all(issubclass(one, EngineQuerySet) for one in found)] == []


class _Alternating(PrimaryReplica):
    """Chooses another replica for each query, as ``random.choice`` can."""

    def __init__(self) -> None:
        self.chosen = 0

    def db_for_read(self, model: object, **hints: object) -> str:
        self.chosen += 1
        return f"replica {self.chosen}"


@requirement("host.databases.replica")
def test_a_page_is_read_from_one_replica_and_a_write_inside_it_from_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("blog_engine.models.reading.router.routers", [_Alternating()])

    outside = Post.objects.all().db
    with reading_a_page() as first:
        inside = [Post.objects.all().db, Post.objects.filter(pk=1).db, Post._base_manager.all().db]
        with reading_what_is_written():
            writing = Post.objects.all().db
        chosen = Post.objects.using("elsewhere").db
    with reading_a_page() as second:
        Post.objects.all().db  # noqa: B018 - asking chooses

    assert (outside, writing, chosen) == ("default", "default", "elsewhere")
    assert inside == ["replica 1"] * 3
    assert (first.alias, second.alias) == ("replica 1", "replica 2")
    assert (first.may_lag(Post), second.may_lag(Post)) == (True, True)
