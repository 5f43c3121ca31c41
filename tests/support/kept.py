"""Whether pages come from the page cache."""

from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings

from blog_engine.models import Post
from blog_engine.reader import page_cache
from tests.support.factories import save
from tests.support.hosts import blog_settings
from tests.support.replay import replayed


@dataclass(frozen=True)
class Asked:
    """A response and the number of queries that it took."""

    response: Any
    queries: int

    @property
    def was_kept(self) -> bool:
        """Whether only the version was read."""
        return self.queries == 1

    @property
    def whole(self) -> tuple[int, dict[str, str], bytes]:
        """Everything that the reader gets."""
        return self.response.status_code, dict(self.response.headers), self.response.content


def ask(path: str, *, client: Client | None = None, method: str = "get", **more: Any) -> Asked:
    """Ask for a path, without cookies unless a client is given; ``more`` is for Django's test client."""
    with CaptureQueriesContext(connection) as queries:
        response = getattr(client or Client(), method)(path, **more)
    return Asked(response, len(queries))


def shown(path: str = "/blog/quay") -> str:
    """What readers get now."""
    text: str = ask(path).response.content.decode()
    return text


@replayed
def save_kept() -> Post:
    """Save the posts whose pages are kept, and return the one with a tag and a FAQ at ``/blog/quay``."""
    faq = [{"question": "When?", "answer": "At ten."}]
    save(title="Harbour", category="Garden", publish=True)
    return save(title="Quay", body="Text.", category="Garden", tags=["soil"], faq=faq, publish=True).post


def kept_paths() -> set[str]:
    """The paths of all kept pages, with their query strings."""
    memory = page_cache._state().memory
    assert memory is not None
    return {f"{path}?{query}" if query else path for _, path, query, *_ in memory._pages}


def rendered(path: str, *, method: str = "get", **more: Any) -> Asked:
    """Ask for a path while no page is kept."""
    with override_settings(BLOG_ENGINE=blog_settings(page_cache={"enabled": False})):
        return ask(path, method=method, **more)
