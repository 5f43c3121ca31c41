"""From the host's ``BLOG_ENGINE`` to checked settings, read on first use and again after a change."""

from collections.abc import Callable
from functools import cache
from typing import TypeVar

from django.conf import settings as django_settings
from django.core.signals import setting_changed
from pydantic import ValidationError

from blog_engine.conf.faults import faults_in, improperly_configured
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
