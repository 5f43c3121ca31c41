"""Where hosts put the blog: any mount, and servers that strip a prefix (decisions.md 1)."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from django.test import Client, override_settings
from django.urls import clear_script_prefix, set_script_prefix

from tests.reader.changes import blog_settings

PLACES = {
    "journal": ("tests.reader.urls_journal", "/press/journal", ""),
    "root": ("tests.reader.urls_root", "", ""),
    "proxy": ("example_site.urls", "/blog", "/sub"),
    "letters": ("example_site.urls", "/blog", "/für uns"),
}


@dataclass(frozen=True)
class Place:
    """Where the blog stands: ``prefix`` is what readers type before its own paths."""

    client: Client
    mount: str
    script_name: str = ""

    @property
    def prefix(self) -> str:
        return quote(self.script_name) + self.mount

    def get(self, path: str) -> Any:
        return self.client.get(f"{self.mount}{path}", SCRIPT_NAME=self.script_name.encode().decode("latin-1"))


@contextmanager
def at(name: str) -> Iterator[Place]:
    """The blog at one of the places."""
    urlconf, mount, script_name = PLACES[name]
    # Django's test client does not do this, other than its WSGI handler.
    set_script_prefix(f"{script_name}/")
    try:
        with override_settings(
            ROOT_URLCONF=urlconf, BLOG_ENGINE=blog_settings(policy_urls={"responsible_party": "/about"})
        ):
            yield Place(Client(), mount, script_name)
    finally:
        clear_script_prefix()
