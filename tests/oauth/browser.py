"""A person with a browser without scripts, who signs in to a served site and connects an agent."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx

from tests.support.databases import migrate_site
from tests.support.servers import environment_of, free_port, gunicorn, manage, origin_at

PASSWORD = "correct horse"
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
_ONWARD = re.compile(r'<a id="onward" href="([^"]+)"')
_CREATE_EDITOR = f"""
from django.contrib.auth import get_user_model
get_user_model().objects.create_superuser("ed", password="{PASSWORD}", first_name="Ed", last_name="Editor")
"""


@dataclass(frozen=True, slots=True)
class Site:
    """A running site that issues tokens."""

    origin: str

    @property
    def endpoint(self) -> str:
        return f"{self.origin}/blog/mcp"


@contextmanager
def served_site(folder: Path, *, has_static_files: bool = False) -> Iterator[Site]:
    """Serve a blog with an editor whose agents connect by URL; collecting static files takes seconds."""
    with free_port() as listener:
        origin = origin_at(listener)
        environment = environment_of(folder, settings="tests.served_settings", origin=origin) | {"OAUTH": "yes"}
        environment = environment | {"STATIC_ROOT": str(folder / "static")}
        if has_static_files:
            manage(environment, "collectstatic", "--noinput", "--verbosity=0")
        migrate_site(environment, folder / "db.sqlite3")
        manage(environment, "migrate", "--verbosity=0")
        manage(environment, "shell", "--verbosity=0", "--command", _CREATE_EDITOR)
        with gunicorn(listener, environment):
            assert httpx.get(f"{origin}/blog/", timeout=120).status_code == 200
            yield Site(origin)


def connect_in_browser(url: str, *scopes: str) -> dict[str, str]:
    """Open the URL that a client gave, sign in, tick the scopes, and return what the client is told."""
    with httpx.Client(follow_redirects=True, timeout=120) as browser:
        page = browser.get(url)
        assert page.url.path == "/admin/login/", page.text
        sent = {"username": "ed", "password": PASSWORD, "csrfmiddlewaretoken": _token_in(page.text)}
        page = browser.post(str(page.url), data=sent, headers={"Referer": str(page.url)})
        assert "Connect an agent" in page.text, page.text
        assert [f'value="{scope}"' in page.text for scope in scopes] == [True] * len(scopes)
        sent = {"csrfmiddlewaretoken": _token_in(page.text.partition("content-main")[2]), "allow": "yes"}
        page = browser.post(str(page.url), data={**sent, "scopes": [*scopes]}, headers={"Referer": str(page.url)})
        found = _ONWARD.search(page.text)
        assert found is not None, page.text
        return {name: value for name, [value] in parse_qs(urlsplit(unescape(found[1])).query).items()}


def _token_in(text: str) -> str:
    found = _TOKEN.search(text)
    assert found is not None
    return found[1]
