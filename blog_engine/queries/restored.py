"""The content of an earlier version, as a write sends it."""

import json
from typing import Any

from blog_engine.errors import ValidationFailed
from blog_engine.models import Post
from blog_engine.queries.images import ids_of_digests
from blog_engine.queries.versions import PostVersion
from blog_engine.rules.content_fields import REVISION_TEXTS


def content_to_restore(version: PostVersion, post: Post) -> dict[str, Any]:
    """Return the fields of a write that give a post the content of one of its versions; one query if it has pictures.

    The byline is among them if it is another one: an author can have another name by now. Raises
    ``ValidationFailed(["restore"])`` when a picture is not stored any more.
    """
    content = json.loads(version.payload)
    texts = {name: content.get(name, "") for name in (*REVISION_TEXTS, "body") if name not in {"author", "coauthors"}}
    pictures = {one["role"]: one for one in content["images"] if one["role"] != "body"}
    fields = texts | {"faq": content["faq"]}
    stored = ids_of_digests({one["sha256"] for one in pictures.values()})
    for role in ("cover", "social"):
        fields[f"{role}_image"] = _image(pictures[role], stored) if role in pictures else None
    if "cover" in pictures:
        fields["cover_alt"] = pictures["cover"]["alt"]
    if content["author"] != post.author_name.strip():
        fields["author"] = {"name": content["author"]}
    if content.get("coauthors", "") != post.coauthor_names.strip():
        fields["coauthors"] = [{"name": name} for name in content.get("coauthors", "").splitlines()]
    if version.body_format not in (None, post.body_format):
        fields["body_format"] = version.body_format
    return fields


def _image(entry: dict[str, str], stored: dict[str, int]) -> dict[str, int]:
    if entry["sha256"] not in stored:
        raise ValidationFailed(["restore"], hint=f"The image {entry['url']} of that version is not stored any more.")
    return {"image_id": stored[entry["sha256"]]}
