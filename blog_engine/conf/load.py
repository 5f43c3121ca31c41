"""Reading and checking `BLOG_ENGINE` of the host's settings, with its hooks."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, TypeVar
from urllib.parse import urlsplit

from django.conf import settings as django_settings
from django.core.signals import setting_changed
from django.http import HttpRequest
from django.utils.module_loading import import_string
from pydantic import ValidationError

from blog_engine.conf.faults import Fault, FaultKind, faults_in, improperly_configured, words_for
from blog_engine.conf.groups import RouteSegments
from blog_engine.conf.model import BlogSettings

T = TypeVar("T")


def kept_until_settings_change(function: Callable[[], T]) -> Callable[[], T]:
    """Call the function once, and again after a change of a Django setting that ours depend on."""
    kept = cache(function)

    def forget(*, setting: str, **_: object) -> None:
        if setting in {"BLOG_ENGINE", "LANGUAGE_CODE"}:
            kept.cache_clear()

    setting_changed.connect(forget, weak=False, dispatch_uid=f"{function.__module__}.{function.__qualname__}")
    return kept


def host_settings() -> object:
    """What the host wrote, unchecked; an empty dictionary when it wrote nothing."""
    return getattr(django_settings, "BLOG_ENGINE", {})


@kept_until_settings_change
def get_settings() -> BlogSettings:
    """The settings in force.

    Raises ``ImproperlyConfigured`` listing every fault by its key's dotted name (decisions.md 1).
    """
    written = host_settings()
    if faults := faults_in(written):
        raise improperly_configured(faults)
    return BlogSettings.model_validate(written)


def route_segments() -> RouteSegments:
    """The route segments for building URL patterns, whatever state the other settings are in.

    While the segments themselves are faulty the defaults stand in: otherwise the URL patterns could not be
    loaded and ``manage.py check`` would end in a traceback before it names the fault. Every other use of the
    settings still refuses.
    """
    written = host_settings()
    segments = written.get("route_segments", {}) if isinstance(written, dict) else {}
    try:
        return RouteSegments.model_validate(segments)
    except ValidationError:
        return RouteSegments()


AuthenticateHook = Callable[[HttpRequest], object]
BeforePublishHook = Callable[[object, Mapping[str, object]], str | Iterable[object] | None]


_ARGUMENTS = {"authenticate": 1, "before_publish": 2}


class _HookError(Exception):
    """What is wrong with a hook, to follow its name."""


@kept_until_settings_change
def authenticate_hook() -> AuthenticateHook | None:
    """The host's ``authenticate(request)``, ``None`` when tokens are used.

    Raises ``ImproperlyConfigured`` naming the key (records.md 2).
    """
    hook: AuthenticateHook | None = _load_or_refuse("authenticate", get_settings().authenticate)
    return hook


@kept_until_settings_change
def before_publish_hook() -> BeforePublishHook | None:
    """The host's ``before_publish(post, context)``, ``None`` when nothing is asked.

    Raises ``ImproperlyConfigured`` naming the key (records.md 5.4).
    """
    hook: BeforePublishHook | None = _load_or_refuse("before_publish", get_settings().before_publish)
    return hook


@kept_until_settings_change
def parent_controller() -> type | None:
    """The class that reader views inherit from first, ``None`` for none.

    Raises ``ImproperlyConfigured`` naming the key (decisions.md 1).
    """
    parent: type | None = _load_or_refuse("parent_controller", get_settings().parent_controller)
    return parent


def hook_faults(written: Mapping[str, object]) -> list[Fault]:
    """A fault for each hook, out of some settings as the host wrote them, that cannot be loaded or called."""
    found = []
    for name in (*_ARGUMENTS, "parent_controller"):
        try:
            _load(name, written.get(name))
        except _HookError as problem:
            found.append(_fault(name, problem))
    return found


def _load_or_refuse(name: str, written: object) -> Any:
    try:
        return _load(name, written)
    except _HookError as problem:
        raise improperly_configured([_fault(name, problem)]) from problem


def _load(name: str, written: object) -> Any:
    if written is None:
        return None
    hook = _imported(written)
    if name in _ARGUMENTS:
        _refuse_other_signature(hook, arguments=_ARGUMENTS[name])
    elif not isinstance(hook, type):
        raise _HookError("must be a class")
    return hook


def _imported(written: object) -> object:
    if not isinstance(written, str):
        return written
    try:
        return import_string(written)
    except ImportError as error:
        raise _HookError(f"cannot be imported: {error}") from error


def _refuse_other_signature(hook: object, *, arguments: int) -> None:
    if not callable(hook):
        raise _HookError("must be callable")
    try:
        signature = inspect.signature(hook)
    except ValueError:
        return  # Some callables written in C do not tell their signature.
    try:
        signature.bind(*range(arguments))
    except TypeError as error:
        raise _HookError(f"must accept exactly {arguments} positional argument(s) and need nothing else") from error


def _fault(name: str, problem: _HookError) -> Fault:
    field = BlogSettings.model_fields[name]
    return Fault(FaultKind.HOOK, name, str(problem), f"Set it to {words_for(field)}.")


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
