"""Somebody who reads the blog."""

import json
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.test import Client

from tests.reader.html import Element, parse


@dataclass(frozen=True)
class Visitor:
    """Asks for addresses under the mount and reads the answers."""

    client: Client
    mount: str = "/blog"

    def get(self, path: str = "/", **headers: str) -> Any:
        """The answer to GET; ``path`` starts below the mount."""
        return self.client.get(f"{self.mount}{path}", headers=headers)

    def page(self, path: str = "/", *, status: int = 200) -> Element:
        """The page at the address as a tree."""
        response = self.get(path)
        assert response.status_code == status
        return parse(text_of(response))

    def graph(self, path: str = "/", *, status: int = 200) -> list[dict[str, Any]]:
        """The structured data of the page."""
        return graph_of(self.page(path, status=status))


def text_of(response: HttpResponse) -> str:
    return response.content.decode()


def graph_of(page: Element) -> list[dict[str, Any]]:
    """The structured data of a page."""
    data = json.loads("".join(map(str, page.one("script", type="application/ld+json").children)))
    assert data["@context"] == "https://schema.org"
    graph: list[dict[str, Any]] = data["@graph"]
    return graph


def meta(page: Element, name: str) -> str:
    """The content of the only ``meta`` of this name or property."""
    kind = "property" if name.startswith(("og:", "article:")) else "name"
    return page.one("meta", **{kind: name}).attrs["content"]
