"""What the admin must not store either: the forms of slugs and links (records.md 3 and 10)."""

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

from blog_engine.content.text import SLUG_PATTERN
from blog_engine.inputs.formats import is_http_url
from blog_engine.inputs.types import LINK_LENGTH

slug_shaped = RegexValidator(
    SLUG_PATTERN, _("Lower-case ASCII letters and digits, in groups joined by single hyphens or underscores.")
)


def web_address(value: str) -> None:
    """Accept an absolute http(s) URL, by the very rule of the API: what one stores the other can save again."""
    if len(value) > LINK_LENGTH or not is_http_url(value):
        raise ValidationError(_("An absolute http or https address."))


def web_addresses(value: object) -> None:
    """Accept a list of http(s) URLs."""
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ValidationError(_("A list of web addresses."))
    for one in value:
        web_address(one)
