"""The settings as the system checks and the doctor look at them."""

from urllib.parse import urlsplit

from blog_engine.conf.faults import Fault, faults_in
from blog_engine.conf.hooks import hook_faults
from blog_engine.conf.load import host_settings
from blog_engine.conf.model import BlogSettings

SETTINGS_CHECKS = "blog_engine_settings"
"""The tag of the system checks that look at settings only; the doctor has checks of its own for the rest."""

_PLACEHOLDERS = frozenset({"Example", "Ada Example"})


def settings_faults() -> list[Fault]:
    """Every fault of the host's settings, hooks loaded and looked at too; never raises for a fault."""
    written = host_settings()
    faults = faults_in(written)
    named = {fault.key for fault in faults}
    hooks = hook_faults(written) if isinstance(written, dict) else []
    return [*faults, *(fault for fault in hooks if fault.key not in named)]


def configuration_warnings(settings: BlogSettings) -> list[str]:
    """Names that are still an example, by the key that holds them; for the doctor only (records.md 15)."""
    names = {
        "site_name": settings.site_name,
        "default_author.name": settings.default_author.name,
        "publisher.name": settings.publisher.name,
    }
    return [f"{key} is still {name}" for key, name in names.items() if name in _PLACEHOLDERS]


def unsafe_addresses(settings: BlogSettings) -> list[str]:
    """The dotted names of the addresses that pages leave out because they are not safe to link (reader.md 11, 13)."""
    call = settings.call_to_action
    addresses = {
        "call_to_action.url": call.url if call else None,
        "default_social_image_url": settings.default_social_image_url,
        "favicon_url": settings.favicon_url,
        "touch_icon_url": settings.touch_icon_url,
        **{f"policy_urls.{kind}": address for kind, address in settings.policy_urls},
    }
    return [key for key, address in addresses.items() if address and not _can_be_linked(address)]


def image_types_without_effect(settings: BlogSettings) -> list[str]:
    """The entries of ``image_content_types`` that the engine never accepts (records.md 9)."""
    possible = BlogSettings.model_fields["image_content_types"].default
    return [name for name in settings.image_content_types if name not in possible]


def _can_be_linked(address: str) -> bool:
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    if parts.scheme or parts.netloc:
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and "@" not in parts.netloc
    return address.startswith("/")
