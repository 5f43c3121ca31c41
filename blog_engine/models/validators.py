"""What the admin must not store either: the forms of slugs and links (records.md 3 and 10)."""

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator, URLValidator
from django.utils.translation import gettext_lazy as _

from blog_engine.content.slugs import SLUG_PATTERN

slug_shaped = RegexValidator(
    SLUG_PATTERN, _("Lower-case ASCII letters and digits, in groups joined by single hyphens or underscores.")
)
web_address = URLValidator(schemes=["http", "https"])


def web_addresses(value: object) -> None:
    """Accept a list of http(s) URLs."""
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ValidationError(_("A list of web addresses."))
    for one in value:
        web_address(one)
