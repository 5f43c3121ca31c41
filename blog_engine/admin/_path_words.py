"""The faults of a path or a target that a person typed, one cause in each sentence."""

import re

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from blog_engine.content.text import is_slug
from blog_engine.models.base import http_url


def refuse_path(path: str) -> None:
    """Raise ``ValidationError`` for a text that is no path of a site (redirects.old-path)."""
    if not path.startswith("/"):
        raise ValidationError(_("Begin the path with /."))
    if path.startswith("//"):
        raise ValidationError(_("Begin the path with only one /."))
    if re.search(r"\s", path):
        raise ValidationError(_("Take the spaces out: a path has none."))
    if "#" in path:
        raise ValidationError(_("Leave out what follows the #: browsers do not send it."))
    _refuse_dots(path)


def refuse_target(target: str) -> None:
    """Raise ``ValidationError`` for a text that is no target of a redirect (redirects.new-path)."""
    if is_slug(target):
        return
    if re.search(r"\s", target):
        raise ValidationError(_("Take the spaces out: a URL has none."))
    if target.startswith("//"):
        raise ValidationError(_("Begin the path with only one /."))
    if not target.startswith("/"):
        try:
            http_url(target)
        except ValidationError as fault:
            raise ValidationError(
                _("Enter the last part of a post's URL, a path that begins with /, or a whole URL with https://.")
            ) from fault
    _refuse_dots(target)


def _refuse_dots(path: str) -> None:
    if {".", ".."} & set(re.split("[/?#]", path)):
        raise ValidationError(_("Write the path in full, without . and .. between its slashes."))
