"""The settings of the engine: the dictionary ``BLOG_ENGINE``."""

from blog_engine.conf.faults import Fault, FaultKind
from blog_engine.conf.load import (
    SETTINGS_CHECKS,
    authenticate_hook,
    before_publish_hook,
    configuration_warnings,
    get_settings,
    image_types_without_effect,
    issues_tokens,
    markdown_plugins,
    oauth_is_installed,
    parent_controller,
    route_segments,
    settings_faults,
    unsafe_urls,
)
from blog_engine.conf.model import BlogSettings

__all__ = [
    "SETTINGS_CHECKS",
    "BlogSettings",
    "Fault",
    "FaultKind",
    "authenticate_hook",
    "before_publish_hook",
    "configuration_warnings",
    "get_settings",
    "image_types_without_effect",
    "issues_tokens",
    "markdown_plugins",
    "oauth_is_installed",
    "parent_controller",
    "route_segments",
    "settings_faults",
    "unsafe_urls",
]
