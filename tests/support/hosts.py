"""What a host may set: the blog's settings, its mounts, its hooks and a template engine."""

import string
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.template import TemplateDoesNotExist
from django.template.backends.dummy import Template, TemplateStrings
from django.test import Client, override_settings
from django.urls import clear_script_prefix, set_script_prefix
from markdown_it import MarkdownIt


def blog_settings(**changes: Any) -> dict[str, Any]:
    """Return the tests' ``BLOG_ENGINE`` with some keys changed; ``...`` leaves a key out."""
    changed = {**settings.BLOG_ENGINE, **changes}
    return {key: value for key, value in changed.items() if value is not ...}


def host_templates() -> list[dict[str, Any]]:
    """The tests' ``TEMPLATES`` with the templates of these tests in front."""
    engine = settings.TEMPLATES[0]
    return [{**engine, "DIRS": [Path(__file__).parent / "templates", *engine["DIRS"]]}]


PLACES = {
    "journal": ("tests.support.urlconfs.journal", "/press/journal", ""),
    "root": ("tests.support.urlconfs.root", "", ""),
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


REQUIRED: dict[str, object] = {
    "site_name": "Garden Journal",
    "default_author": {"name": "Ada"},
    "publisher": {"name": "Garden Press"},
}


def authenticate(request: object) -> object:
    return request


def authenticate_with_more(request: object, realm: str = "blog", *rest: object) -> object:
    return request, realm, rest


def authenticate_nobody() -> object:
    return None


def authenticate_with_keyword(request: object, *, realm: str) -> object:
    return request, realm


def before_publish(post: object, context: object) -> object:
    return post, context


class LoginWall:
    """A mixin of a host."""


NOT_CALLABLE = 5


class Dollars(TemplateStrings):
    """Templates of the standard library, found in ``DIRS``."""

    def get_template(self, template_name: str) -> Any:
        for folder in self.dirs:
            if (file := Path(folder) / template_name).is_file():
                return Template(string.Template(file.read_text("utf-8")).template)
        raise TemplateDoesNotExist(template_name, backend=self)


def failing_plugin(parser: MarkdownIt) -> None:
    """A Markdown plugin that fails when it is called."""
    raise RuntimeError("no parser")


def failing_rule(parser: MarkdownIt) -> None:
    """A Markdown plugin whose rule fails when emphasis is rendered."""

    def fail(*_: object) -> str:
        raise ValueError("no emphasis")

    parser.add_render_rule("em_open", fail)


class UnhashablePlugin:
    """A Markdown plugin that cannot be a key of a cache."""

    __hash__ = None  # type: ignore[assignment]  # what a class with __eq__ has

    def __call__(self, parser: MarkdownIt) -> None:
        """Change nothing."""


unhashable_plugin = UnhashablePlugin()
partial_plugin = partial(failing_plugin)
