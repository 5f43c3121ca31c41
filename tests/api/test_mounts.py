"""The API at any mount path, and behind a server that strips a prefix."""

from typing import Any

import pytest
from django.test import Client

from blog_engine.models import Redirect
from tests.requirements import requirement
from tests.support.clients import client_with, refusal_in

pytestmark = pytest.mark.django_db


@requirement("host.mount", "host.stored-paths")
def test_a_post_lives_under_the_mount(place: tuple[str, str]) -> None:
    mount, script_name = place
    client = client_with("read", "write", "publish")
    posts = f"{mount}/api/v1/posts"
    where = {"SCRIPT_NAME": script_name, "content_type": "application/json"}
    origin = f"https://example.com{script_name}{mount}"

    draft: Any = client.post(posts, {"title": "Frost"}, **where).json()["post"]
    public: Any = client.post(f"{posts}/frost/publish/", {}, **where).json()["post"]
    moved: Any = client.patch(f"{posts}/frost", {"slug": "thaw"}, **where).json()["post"]

    assert draft["preview_url"].startswith(f"{origin}/preview/")
    assert (public["url"], moved["url"]) == (f"{origin}/frost", f"{origin}/thaw")
    assert Redirect.objects.values_list("old_path", "new_path").get() == (f"{mount}/frost", f"{mount}/thaw")


@requirement("host.mount", "api.paths.unknown")
@pytest.mark.parametrize("path", ["/api", "/api/", "/api/v1/nothing", "/api/v2/posts"])
def test_unknown_paths_of_the_api_answer_in_json(place: tuple[str, str], path: str) -> None:
    mount, script_name = place

    assert refusal_in(Client().get(mount + path, SCRIPT_NAME=script_name)) == (404, "not_found", [])
