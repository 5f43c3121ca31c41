"""The differences between two versions of the content of a post, field by field."""

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from django.utils.translation import gettext as _

from blog_engine.admin.post_form import field_label
from blog_engine.content.differences import Steps, TextDifference, text_difference
from blog_engine.rules.content_fields import REVISION_TEXTS
from blog_engine.rules.isolation import isolated


@dataclass(frozen=True, slots=True)
class FieldDifference:
    """The difference between two values of a field."""

    label: str
    difference: TextDifference


def differences_between(old: str | None, new: str) -> list[FieldDifference]:
    """Return the fields of two payloads that differ, in the order of the page; without an old one, all are new."""
    before, after = (_texts(json.loads(payload)) if payload else {} for payload in (old, new))
    steps = Steps()
    compared = [
        FieldDifference(label, text_difference(before.get(label, ""), text, steps=steps))
        for label, text in after.items()
    ]
    return [one for one in compared if one.difference.is_changed]


def _texts(content: dict[str, Any]) -> dict[str, str]:
    """Return the fields of a payload as texts, by their labels."""
    return {field_label(name): content.get(name, "") for name in (*REVISION_TEXTS, "body")} | {
        field_label("faq"): "\n\n".join(f"{pair['question']}\n{pair['answer']}" for pair in content["faq"]),
        _("Images"): "\n".join(image_lines(content)),
    }


def image_lines(content: dict[str, Any]) -> list[str]:
    """Return a line for each image of a payload."""
    return [_image_line(image) for image in content["images"]]


def name_in_path(stored_path: str) -> str:
    """Return the file name at the end of the path of a stored image."""
    return unquote(stored_path.rsplit("/", 1)[-1])


def _image_line(image: dict[str, str]) -> str:
    roles = {"cover": _("Cover image"), "social": _("Social image"), "body": _("Image in the text")}
    name = name_in_path(image["url"]) if image["sha256"] else image["url"]
    described = (
        _("described as “%(alt)s”") % isolated({"alt": image["alt"]}) if image["alt"] else _("without a description")
    )
    digest = f" ({image['sha256'][:12]})" if image["sha256"] else ""
    return f"{roles.get(image['role'], image['role'])}: {name}{digest}, {described}"
