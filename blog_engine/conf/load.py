"""Load and check ``BLOG_ENGINE`` from the settings of the host, and its hooks."""

import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache, reduce, wraps
from threading import Lock
from typing import Any, Final, TypeVar, get_args
from urllib.parse import urlsplit

from django.apps import apps
from django.conf import settings as django_settings
from django.core.signals import setting_changed
from django.http import HttpRequest
from django.utils.module_loading import import_string
from pydantic import ValidationError

from blog_engine.conf.brand import Brand
from blog_engine.conf.faults import Fault, FaultKind, faults_in, improperly_configured, requirement_of
from blog_engine.conf.groups import RouteSegments
from blog_engine.conf.model import BlogSettings
from blog_engine.conf.types import Link

T = TypeVar("T")

AuthenticateHook = Callable[[HttpRequest], object]
MarkdownPlugin = Callable[[Any], object]
BeforePublishHook = Callable[[object, Mapping[str, object]], str | Iterable[object] | None]

_ARGUMENTS = {"authenticate": 1, "before_publish": 2}
_PLUGINS = "markdown_plugins"

SETTINGS_CHECKS = "blog_engine_settings"
"""The tag of the system checks that the doctor runs: those of settings. It has its own checks for the rest."""

_PLACEHOLDERS = frozenset({"Example", "Ada Example"})


def kept_until_settings_change(function: Callable[[], T]) -> Callable[[], T]:
    """Cache the result, which all threads share, until a setting changes."""
    made: list[T] = []
    making = Lock()

    @wraps(function)
    def make() -> T:
        with making:
            if not made:
                made.append(function())
            return made[0]

    kept = cache(make)

    def forget(**_: object) -> None:
        made.clear()
        kept.cache_clear()

    setting_changed.connect(forget, weak=False, dispatch_uid=f"{function.__module__}.{function.__qualname__}")
    return kept


def host_settings() -> object:
    """Return ``BLOG_ENGINE`` as the host wrote it; default: an empty dictionary."""
    return getattr(django_settings, "BLOG_ENGINE", {})


@kept_until_settings_change
def get_settings() -> BlogSettings:
    """Return the validated settings.

    Raises ``ImproperlyConfigured``, which lists every fault with its dotted key.
    """
    written = host_settings()
    if faults := faults_in(written):
        raise improperly_configured(faults)
    return BlogSettings.model_validate(written)


def route_segments() -> RouteSegments:
    """Return the segments for the URL patterns, even if other settings are faulty.

    Faulty segments are replaced by the defaults: otherwise loading the URL patterns would fail, and ``manage.py check``
    would end in a traceback instead of reporting the fault. ``get_settings`` still raises.
    """
    written = host_settings()
    segments = written.get("route_segments", {}) if isinstance(written, dict) else {}
    try:
        return RouteSegments.model_validate(segments)
    except ValidationError:
        return RouteSegments()


class _HookError(Exception):
    """A hook is faulty; the message says what is wrong, to follow its name."""


@kept_until_settings_change
def authenticate_hook() -> AuthenticateHook | None:
    """Return the host's ``authenticate(request)``, or ``None`` when tokens are used.

    Raises ``ImproperlyConfigured`` for a faulty hook.
    """
    hook: AuthenticateHook | None = _load_or_refuse("authenticate", get_settings().authenticate)
    return hook


def issues_tokens() -> bool:
    """Return whether the blog issues tokens by OAuth: ``oauth`` is enabled and possible (oauth.off)."""
    settings = get_settings()
    return settings.oauth and settings.authenticate is None and oauth_is_installed()


def oauth_is_installed() -> bool:
    """Return whether the tables of OAuth are there."""
    return apps.is_installed("oauth2_provider")


@kept_until_settings_change
def before_publish_hook() -> BeforePublishHook | None:
    """Return the host's ``before_publish(post, context)``, or ``None``.

    Raises ``ImproperlyConfigured`` for a faulty hook.
    """
    hook: BeforePublishHook | None = _load_or_refuse("before_publish", get_settings().before_publish)
    return hook


@kept_until_settings_change
def parent_controller() -> type | None:
    """Return the class that reader views inherit from first, or ``None``.

    Raises ``ImproperlyConfigured`` for a faulty hook.
    """
    parent: type | None = _load_or_refuse("parent_controller", get_settings().parent_controller)
    return parent


@kept_until_settings_change
def markdown_plugins() -> tuple[MarkdownPlugin, ...]:
    """Return the host's Markdown plugins, in order.

    Raises ``ImproperlyConfigured`` for a faulty one.
    """
    return tuple(_load_or_refuse(_PLUGINS, written) for written in get_settings().markdown_plugins)


def hook_faults(written: Mapping[str, object]) -> list[Fault]:
    """Return the faults of hooks that cannot be imported or called."""
    found = []
    for name in (*_ARGUMENTS, "parent_controller"):
        try:
            _load(name, written.get(name))
        except _HookError as problem:
            found.append(_fault(name, problem))
    plugins = written.get(_PLUGINS)
    for plugin in plugins if isinstance(plugins, list | tuple) else ():
        try:
            _load(_PLUGINS, plugin)
        except _HookError as problem:
            return [*found, _fault(_PLUGINS, problem)]
    return found


def _load_or_refuse(name: str, written: object) -> Any:
    try:
        return _load(name, written)
    except _HookError as problem:
        raise improperly_configured([_fault(name, problem)]) from problem


def _load(name: str, written: object) -> Any:
    if written is None:
        return None
    hook = _import(written)
    if name in _ARGUMENTS or name == _PLUGINS:
        _check_signature(hook, arguments=_ARGUMENTS.get(name, 1))
        if name == _PLUGINS:
            _check_identity(hook, is_named=isinstance(written, str))
    elif not isinstance(hook, type):
        raise _HookError("must be a class")
    return hook


def _import(written: object) -> object:
    if not isinstance(written, str):
        return written
    try:
        return import_string(written)
    except ImportError as error:
        raise _HookError(f"cannot be imported: {error}") from error


def _check_signature(hook: object, *, arguments: int) -> None:
    if not callable(hook):
        raise _HookError("must be callable")
    try:
        signature = inspect.signature(hook)
    except ValueError:
        return  # Some callables in C have no signature.
    try:
        signature.bind(*range(arguments))
    except TypeError as error:
        raise _HookError(f"must accept exactly {arguments} positional argument(s) and require no others") from error


def _check_identity(plugin: object, *, is_named: bool) -> None:
    """Refuse a plugin that a stored rendering could not be told from others by (rendering.outdated)."""
    try:
        hash(plugin)
    except TypeError as error:
        raise _HookError(f"has a plugin that is not hashable: {type(plugin).__name__}") from error
    if not is_named and _named(plugin) != plugin:
        raise _HookError("has a plugin without a name of its own: use a function of a module, or write a dotted path")


def _named(plugin: object) -> object:
    """Return the object of the same module and qualified name, or ``None``."""
    module = sys.modules.get(getattr(plugin, "__module__", None) or "")
    path = str(getattr(plugin, "__qualname__", "")).split(".")
    return reduce(lambda found, name: getattr(found, name, None), path, module)


def _fault(name: str, problem: _HookError) -> Fault:
    field = BlogSettings.model_fields[name]
    return Fault(FaultKind.HOOK, name, str(problem), f"Set it to {requirement_of(field)}.")


def settings_faults() -> list[Fault]:
    """Return every fault of the settings, including those of hooks."""
    written = host_settings()
    faults = faults_in(written)
    named = {fault.key for fault in faults}
    hooks = hook_faults(written) if isinstance(written, dict) else []
    return [*faults, *(fault for fault in hooks if fault.key not in named)]


def configuration_warnings(settings: BlogSettings) -> list[str]:
    """Return warnings about names that are still examples (doctor.configuration)."""
    names = {
        "site_name": settings.site_name,
        "default_author.name": settings.default_author.name,
        "publisher.name": settings.publisher.name,
    }
    return [f"{key} is still {name}" for key, name in names.items() if name in _PLACEHOLDERS]


_LINKS: Final = [name for name, one in BlogSettings.model_fields.items() if get_args(Link)[1] in one.metadata]
"""The settings that are a URL or a path."""


def unsafe_urls(settings: BlogSettings) -> list[str]:
    """Return the keys of URLs that pages leave out because they are not safe to link."""
    call = settings.call_to_action
    urls = {
        "call_to_action.url": call.url if call else None,
        **{name: getattr(settings, name) for name in _LINKS},
        **_brand_urls(settings.brand),
        **{f"policy_urls.{kind}": url for kind, url in settings.policy_urls},
    }
    return [key for key, url in urls.items() if url and not _can_be_linked(url)]


def _brand_urls(brand: Brand) -> dict[str, str | None]:
    links = {"navigation": brand.navigation, "footer_links": brand.footer_links}
    return {
        "brand.logo_url": brand.logo_url,
        "brand.logo_dark_url": brand.logo_dark_url,
        "brand.icon_url": brand.icon_url,
        **{f"brand.{key}[{place}].url": link.url for key, of in links.items() for place, link in enumerate(of)},
        **{f"brand.social_links[{place}]": url for place, url in enumerate(brand.social_links)},
    }


def image_types_without_effect(settings: BlogSettings) -> list[str]:
    """Return the entries of ``image_content_types`` that are never accepted."""
    possible = BlogSettings.model_fields["image_content_types"].default
    return [name for name in settings.image_content_types if name not in possible]


def _can_be_linked(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    if parts.scheme or parts.netloc:
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and "@" not in parts.netloc
    return url.startswith("/")
