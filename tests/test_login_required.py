"""The blog behind LoginRequiredMiddleware, with the class of docs/how-to/login-wall.md."""

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
from django.conf import settings as django_settings
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path
from pytest_django import Settings

from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.clients import client_with, post, refusal_in, request, tool_answer
from tests.support.factories import save

pytestmark = pytest.mark.django_db

PAGE = Path(__file__).resolve().parents[1] / "docs" / "how-to" / "login-wall.md"
DJANGOS = "django.contrib.auth.middleware.LoginRequiredMiddleware"
OURS = "mysite.middleware.LoginRequiredExceptBlog"
LOGIN = "/sign-in/"
API = "/blog/api/v1"


def desk(request: HttpRequest) -> HttpResponse:
    """A page of the host for users who are signed in."""
    return HttpResponse("The desk.")


urlpatterns = [path("desk/", desk), path("blog/", include("blog_engine.urls"))]

READER = [
    *("", "search?q=frost", "search.json?q=frost", "feed.xml", "feed.json", "sitemap.xml", "llms.txt", "llms-full.txt"),
    *("frost", "frost.html", "frost.md", "category/garden", "category/garden/feed.xml", "no-such-page"),
]


@pytest.fixture
def host(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host with sessions and the class of the documentation, and a public post."""
    section = PAGE.read_text("utf-8").partition("## Keep the blog open")[2]
    code, settings_of_page = re.findall(r"```python\n(.+?)```", section, re.DOTALL)
    assert f'"{OURS}"' in settings_of_page
    package, module = ModuleType("mysite"), ModuleType("mysite.middleware")
    exec(compile(code, PAGE.name, "exec"), module.__dict__)  # noqa: S102 - our own page
    monkeypatch.setitem(sys.modules, "mysite", package)
    monkeypatch.setitem(sys.modules, "mysite.middleware", module)
    settings.ROOT_URLCONF = __name__
    settings.LOGIN_URL = LOGIN
    save(title="Frost", slug="frost", category="Garden", publish=True)


def wall(settings: Settings, middleware: str) -> None:
    around = [
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
    ]
    own = [name for name in django_settings.MIDDLEWARE if name not in around]
    settings.MIDDLEWARE = [*around, *own, middleware]


@requirement("host.login-required")
@pytest.mark.usefixtures("host")
@pytest.mark.parametrize("path", READER)
def test_the_class_of_the_page_opens_the_blog(settings: Settings, path: str) -> None:
    plain = Client().get(f"/blog/{path}").status_code

    wall(settings, OURS)

    assert plain in {200, 301, 404}
    assert Client().get(f"/blog/{path}").status_code == plain


@requirement("host.login-required")
@pytest.mark.usefixtures("host")
@pytest.mark.parametrize("middleware", [DJANGOS, OURS])
def test_the_host_stays_behind_its_wall(settings: Settings, middleware: str) -> None:
    wall(settings, middleware)

    answer = Client().get("/desk/")

    assert (answer.status_code, answer.headers["Location"]) == (302, f"{LOGIN}?next=/desk/")


@requirement("host.login-required")
@pytest.mark.usefixtures("host")
@pytest.mark.parametrize("path", READER)
def test_djangos_own_middleware_asks_readers_to_sign_in(settings: Settings, path: str) -> None:
    wall(settings, DJANGOS)

    answer = Client().get(f"/blog/{path}")

    assert (answer.status_code, answer.headers["Location"].startswith(LOGIN)) == (302, True)


@requirement("host.login-required")
@pytest.mark.usefixtures("host")
@pytest.mark.parametrize("middleware", [DJANGOS, OURS])
def test_programs_pass_either_wall(settings: Settings, middleware: str) -> None:
    wall(settings, middleware)
    draft = save(title="Snow", slug="snow").post
    agent = client_with("read", "write", "publish")

    listed = agent.get(f"{API}/posts")
    link = agent.get(f"{API}/posts/{draft.pk}/preview")
    schema = Client().get(f"{API}/schema")

    assert (listed.status_code, schema.status_code) == (200, 200)
    assert tool_answer(agent, "blog_save_draft", {"title": "Rain"})["created"] is True
    assert Post.objects.count() == 3
    assert Client().get(link.json()["preview_url"]).status_code == 200
    assert refusal_in(Client().get(f"{API}/posts"))[:2] == (401, "unauthenticated")
    assert refusal_in(post(Client(), request("ping")))[:2] == (401, "unauthenticated")
