"""What the tests of publishing, reviewing and the history share."""

import re
from html import unescape
from typing import Any

from django.test import Client

from blog_engine.models import Post
from tests.admin.desk import url


def stored(post: Post) -> Post:
    """The post as it is now."""
    return Post.objects.get(pk=post.pk)


def seen(post: Post) -> dict[str, Any]:
    """What the hidden fields of a confirmation hold for the post as it is now."""
    now = stored(post)
    return {
        "expected_version": now.version,
        "seen_status": now.status,
        "seen_revision": now.current_revision_identifier,
    }


def confirm(client: Client, page: str, post: Post, **fields: Any) -> Any:
    """Send the confirmation of a page that was just opened; ``fields`` replace or add to what it holds."""
    return client.post(url(f"post_{page}", post.pk), {**seen(post), **fields})


def text_of(answer: Any) -> str:
    """The text of the page between its tags, in one line, without scripts and the sidebar."""
    content = answer.content.decode()
    start, end = content.find("<main"), content.find("</main>")
    shown = re.sub(r"<script.*?</script>", " ", content[max(start, 0) : end], flags=re.S)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", shown)).split())
