"""System checks of the installation.

``docs/reference/checks.md`` is generated from ``RULES``. All checks except that of hidden posts have the tag
``blog_engine``. The doctor runs those with the tag ``SETTINGS_CHECKS``; its own checks cover the rest in more detail.
"""

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.apps import AppConfig, apps
from django.conf import settings as django_settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.core.files.storage import FileSystemStorage
from django.template import TemplateDoesNotExist
from django.template.loader import get_template
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse
from django.urls.resolvers import LocalePrefixPattern

from blog_engine import DOCUMENTATION
from blog_engine.conf import (
    SETTINGS_CHECKS,
    BlogSettings,
    FaultKind,
    get_settings,
    image_types_without_effect,
    markdown_plugins,
    settings_faults,
    unsafe_urls,
)
from blog_engine.conf.extras import CAN_SIGN
from blog_engine.http.rate_limit import inexact_cache, limits_cache, limits_cache_exists
from blog_engine.models.protection import is_supported
from blog_engine.oauth.provider import faulty_keys
from blog_engine.queries.database import engine_connection, missing_tables

logger = logging.getLogger("blog_engine")

TAG = "blog_engine"


@dataclass(frozen=True, slots=True)
class CheckRule:
    """A message of the checks: its stable id, the fault it reports, its default hint."""

    id: str
    finds: str
    hint: str

    def message(self, text: str, *, hint: str = "") -> CheckMessage:
        """Return the message: an error for an ``E`` id, a warning for a ``W`` id."""
        kind = Error if self.id.startswith("blog_engine.E") else Warning
        return kind(text, hint=hint or self.hint, id=self.id)


UNKNOWN_KEY = CheckRule(
    "blog_engine.E001", "A key of `BLOG_ENGINE` is not a setting.", "Use the name that the hint gives."
)
WRONG_VALUE = CheckRule(
    "blog_engine.E002",
    "A setting has a wrong type or value.",
    f"What each setting takes: {DOCUMENTATION}/reference/settings.md",
)
MISSING = CheckRule("blog_engine.E003", "A required setting is missing.", "Set it.")
HOOK = CheckRule(
    "blog_engine.E004",
    "A hook cannot be loaded, takes other arguments, or is a Markdown plugin that fails on a sample.",
    "Fix the path or the callable.",
)
USE_TZ_OFF = CheckRule("blog_engine.E005", "`USE_TZ` is `False`.", "Set USE_TZ = True. Times in the history are aware.")
APP_MISSING = CheckRule(
    "blog_engine.E006", "An app that the engine needs is not installed.", "Add it to INSTALLED_APPS; run migrate."
)
STORAGE_MISSING = CheckRule(
    "blog_engine.E007", "`storage` is not an alias of `STORAGES`.", "Use an alias of STORAGES, or add this one."
)
LAYOUT_MISSING = CheckRule(
    "blog_engine.E008",
    "The `layout` template is not found.",
    "Fix the name, or make the template loaders find the template: APP_DIRS finds those of the engine.",
)
CACHE_MISSING = CheckRule(
    "blog_engine.E009",
    "`RATELIMIT_USE_CACHE` is not an alias of `CACHES`.",
    "Use an alias of CACHES, or add this one.",
)
HIDDEN_POST = CheckRule(
    "blog_engine.E010",
    "The slug of a stored post is a value of `route_segments` or another path of the blog itself, so readers cannot "
    "reach the post. Checked by `check --database default`.",
    "Change the slug of the post, or choose another segment.",
)
MOUNTED_TWICE = CheckRule(
    "blog_engine.E012",
    "The engine's URLs are included more than once.",
    "Keep one include of blog_engine.urls: every post has one URL. Redirect the other paths there with RedirectView.",
)
TRANSLATED_MOUNT = CheckRule(
    "blog_engine.E013",
    "The engine's URLs are included inside `i18n_patterns`.",
    "Move the include out of i18n_patterns: stored URLs must not depend on the visitor's language.",
)
DATABASE_NOT_SUPPORTED = CheckRule(
    "blog_engine.E014",
    "The blog's database is neither SQLite nor PostgreSQL.",
    "Use one of the two, if necessary only for the blog, with a database router.",
)
NO_PUBLIC_URL = CheckRule(
    "blog_engine.W001",
    "`public_base_url` is not set and `DEBUG` is `False`.",
    "Set it to the origin that readers use, such as https://example.com. Without it, URLs have the requested host.",
)
INEXACT_CACHE = CheckRule(
    "blog_engine.W002",
    "The cache of the rate limits is per process or loses counts, and `DEBUG` is `False`.",
    "Set RATELIMIT_USE_CACHE to a Redis or Memcached cache.",
)
NOT_MOUNTED = CheckRule(
    "blog_engine.W003",
    "The engine's URLs are not included.",
    'Add path("blog/", include("blog_engine.urls")) to the URL patterns.',
)
UNSAFE_URL = CheckRule(
    "blog_engine.W004",
    "A URL in the settings is neither http(s) nor a path, and pages leave it out.",
    "Use a URL that starts with https://, http:// or a single /.",
)
IMAGE_TYPE_WITHOUT_EFFECT = CheckRule(
    "blog_engine.W005",
    "`image_content_types` lists a type that is never accepted.",
    "Remove it. Supported types are image/png, image/jpeg, image/webp, image/gif and image/avif.",
)
NOT_TRANSLATED = CheckRule(
    "blog_engine.W007",
    "`USE_I18N` is `False`, and `locale` is not English or not `LANGUAGE_CODE`: pages are not in that language.",
    "Set USE_I18N = True, or remove `locale` and set LANGUAGE_CODE to English.",
)
SERVER_WITHOUT_HOOK = CheckRule(
    "blog_engine.W008",
    "`oauth_authorization_server` is set without `authenticate`, and has no effect.",
    "Set authenticate to a function that accepts the tokens of that server, or remove oauth_authorization_server.",
)

NO_PASSKEYS = CheckRule(
    "blog_engine.E017",
    "`approvals_signed` is `True` without the extra `passkeys`, so that no approval can be given.",
    'Install "blog-engine[passkeys]", or remove approvals_signed.',
)
OAUTH_APP_MISSING = CheckRule(
    "blog_engine.E015",
    "`oauth` is enabled without `oauth2_provider`, or without the admin, whose look and login its page has.",
    "Install blog-engine[oauth], add oauth2_provider and django.contrib.admin to INSTALLED_APPS; run migrate.",
)
OAUTH_LESS_STRICT = CheckRule(
    "blog_engine.E016",
    "`oauth` is enabled, and `OAUTH2_PROVIDER` lacks values that protect it.",
    "Set OAUTH2_PROVIDER = {**PROVIDER} with PROVIDER of blog_engine.oauth.provider; only the two lifetimes are yours.",
)
OAUTH_WITH_HOOK = CheckRule(
    "blog_engine.W009",
    "`oauth` is enabled, but `authenticate` decides who calls: no tokens are issued.",
    "Remove authenticate, or set oauth to False.",
)
NO_MEDIA_ROOT = CheckRule(
    "blog_engine.W006",
    "`storage` has no folder, so images are stored in the working directory.",
    "Set MEDIA_ROOT to a persistent folder with backups, or set the location of the storage.",
)

RULES = (
    *(UNKNOWN_KEY, WRONG_VALUE, MISSING, HOOK, USE_TZ_OFF, APP_MISSING, STORAGE_MISSING, LAYOUT_MISSING, CACHE_MISSING),
    *(HIDDEN_POST, MOUNTED_TWICE, TRANSLATED_MOUNT, DATABASE_NOT_SUPPORTED, NO_PASSKEYS),
    *(NO_PUBLIC_URL, INEXACT_CACHE, NOT_MOUNTED, UNSAFE_URL, IMAGE_TYPE_WITHOUT_EFFECT, NO_MEDIA_ROOT),
    *(NOT_TRANSLATED, SERVER_WITHOUT_HOOK),
    *(OAUTH_APP_MISSING, OAUTH_LESS_STRICT, OAUTH_WITH_HOOK),
)
_RULE_OF_FAULT = {
    FaultKind.UNKNOWN_KEY: UNKNOWN_KEY,
    FaultKind.WRONG_VALUE: WRONG_VALUE,
    FaultKind.MISSING: MISSING,
    FaultKind.HOOK: HOOK,
}
_NEEDED_APPS = ("django.contrib.auth", "django.contrib.contenttypes")
_OAUTH_APPS = ("oauth2_provider", "django.contrib.admin")

Configs = Sequence[AppConfig] | None


def register_checks() -> None:
    """Register the checks of this module, once the app is ready."""
    for check in (check_settings, check_settings_together, check_plugins, check_time_zones, check_apps, check_database):
        register(check, TAG, SETTINGS_CHECKS)
    # Without TAG: Django 6.1 runs tagged database checks even when no database is given.
    register(check_hidden_posts, Tags.database)
    for check in (check_oauth, check_storage, check_layout, check_rate_limit_cache, check_urls):
        register(check, TAG)


def check_settings(app_configs: Configs, **_: object) -> list[CheckMessage]:
    """Report every fault of ``BLOG_ENGINE``."""
    return [
        _RULE_OF_FAULT[fault.kind].message(f"BLOG_ENGINE: {fault.key} {fault.problem}.", hint=fault.hint)
        for fault in settings_faults()
    ]


def check_settings_together(app_configs: Configs, **_: object) -> list[CheckMessage]:
    """Report valid settings that do not match the other settings of the host."""
    if settings_faults():
        return []
    return [*_mismatches(get_settings())]


def _mismatches(settings: BlogSettings) -> Iterator[CheckMessage]:
    if settings.public_base_url is None and not django_settings.DEBUG:
        yield NO_PUBLIC_URL.message("BLOG_ENGINE: public_base_url is not set.")
    for key in unsafe_urls(settings):
        yield UNSAFE_URL.message(f"BLOG_ENGINE: {key} is neither an http(s) URL nor a path.")
    for name in image_types_without_effect(settings):
        yield IMAGE_TYPE_WITHOUT_EFFECT.message(f"BLOG_ENGINE: image_content_types lists {name}.")
    own, host = settings.language.lower(), django_settings.LANGUAGE_CODE.replace("_", "-").lower()
    if not django_settings.USE_I18N and (own != host or own.partition("-")[0] != "en"):
        yield NOT_TRANSLATED.message(f"USE_I18N is False, but BLOG_ENGINE: locale is {settings.locale}.")
    if settings.oauth_authorization_server and settings.authenticate is None:
        yield SERVER_WITHOUT_HOOK.message("BLOG_ENGINE: oauth_authorization_server is set, but authenticate is not.")
    if settings.approvals_signed and not CAN_SIGN:
        yield NO_PASSKEYS.message("BLOG_ENGINE: approvals_signed is set, but the extra passkeys is not installed.")


def check_oauth(app_configs: Configs, **_: object) -> list[CheckMessage]:
    """Report what keeps the blog from issuing tokens, or makes them less safe."""
    if settings_faults() or not get_settings().oauth:
        return []
    found = [
        OAUTH_APP_MISSING.message(f"BLOG_ENGINE: oauth is enabled, and {name} is not installed.")
        for name in _OAUTH_APPS
        if not apps.is_installed(name)
    ]
    if keys := faulty_keys(getattr(django_settings, "OAUTH2_PROVIDER", None)):
        found.append(OAUTH_LESS_STRICT.message(f"OAUTH2_PROVIDER: {', '.join(keys)} differ from what oauth needs."))
    if get_settings().authenticate is not None:
        found.append(OAUTH_WITH_HOOK.message("BLOG_ENGINE: oauth is enabled, and authenticate is set."))
    return found


def check_plugins(app_configs: Configs, **_: object) -> list[CheckMessage]:
    """Report the Markdown plugins that fail; without this check, articles would be rendered without them."""
    if settings_faults() or not get_settings().markdown_plugins:
        return []
    from blog_engine.content.rendering import plugin_failure

    return [
        HOOK.message(f"BLOG_ENGINE: markdown_plugins has {written!r}, which fails on a sample: {failure!r}.")
        for written, plugin in zip(get_settings().markdown_plugins, markdown_plugins(), strict=True)
        if (failure := plugin_failure(plugin))
    ]


def check_storage(app_configs: Configs, **_: object) -> list[CheckMessage]:
    """Check that the storage of images exists and has a folder."""
    if settings_faults():
        return []
    alias = get_settings().storage
    if alias not in django_settings.STORAGES:
        return [STORAGE_MISSING.message(f"BLOG_ENGINE: storage names {alias!r}, which STORAGES does not have.")]
    from blog_engine.images.files import image_storage

    try:
        storage = image_storage()
    except Exception as fault:
        # The doctor reports it; an exception here would hide the results of other checks.
        logger.info("The storage %r could not be checked: %r", alias, fault)
        return []
    if isinstance(storage, FileSystemStorage) and not storage.base_location:
        return [NO_MEDIA_ROOT.message(f"The storage {alias!r} has no folder: MEDIA_ROOT is empty.")]
    return []


def check_layout(app_configs: Configs, **_: object) -> list[CheckMessage]:
    """Check that the template of ``layout`` exists."""
    if settings_faults():
        return []
    try:
        get_template(get_settings().layout)
    except TemplateDoesNotExist as missing:
        return [LAYOUT_MISSING.message(f"BLOG_ENGINE: layout needs the template {missing}, which is not found.")]
    return []


def check_time_zones(app_configs: Configs, **_: object) -> list[CheckMessage]:
    """Check that times are aware."""
    return [] if django_settings.USE_TZ else [USE_TZ_OFF.message("USE_TZ is False.")]


def check_apps(app_configs: Configs, **_: object) -> list[CheckMessage]:
    """Check that the apps that the engine needs are installed."""
    return [APP_MISSING.message(f"{name} is not installed.") for name in _NEEDED_APPS if not apps.is_installed(name)]


def check_database(app_configs: Configs, **_: object) -> list[CheckMessage]:
    """Check that the database backend is supported, without a query."""
    connection = engine_connection()
    if is_supported(connection):
        return []
    name = connection.display_name
    return [DATABASE_NOT_SUPPORTED.message(f"The database {connection.alias!r} is {name}, which is not supported.")]


def check_rate_limit_cache(app_configs: Configs, **_: object) -> list[CheckMessage]:
    """Check that the cache of the rate limits counts over several processes."""
    alias = limits_cache()
    if not limits_cache_exists():
        return [CACHE_MISSING.message(f"There is no cache {alias!r} for the rate limits.")]
    kind = inexact_cache()
    if kind is None:
        return []
    return [INEXACT_CACHE.message(f"The cache {alias!r} ({kind}) cannot count the requests of several processes.")]


def check_urls(app_configs: Configs, **_: object) -> list[CheckMessage]:
    """Check that the URLs are included once, at the same path in every language."""
    missing = [NOT_MOUNTED.message("The URLs of blog_engine are not included.")]
    if not getattr(django_settings, "ROOT_URLCONF", None):
        return missing
    try:
        reverse("blog_engine:index")
    except NoReverseMatch:
        return missing
    return [*_check_mounts(get_resolver().url_patterns)]


def _check_mounts(patterns: list[URLPattern | URLResolver]) -> Iterable[CheckMessage]:
    mounts = list(_mounts(patterns))
    if len(mounts) > 1:
        yield MOUNTED_TWICE.message(f"The URLs of blog_engine are included {len(mounts)} times.")
    if any(mounts):
        yield TRANSLATED_MOUNT.message("The URLs of blog_engine are included inside i18n_patterns.")


def _mounts(patterns: list[URLPattern | URLResolver], *, is_translated: bool = False) -> Iterator[bool]:
    """Yield for each include of the engine whether it is inside ``i18n_patterns``."""
    for entry in patterns:
        if isinstance(entry, URLResolver):
            begins_with_language = is_translated or isinstance(entry.pattern, LocalePrefixPattern)
            if entry.app_name == "blog_engine":
                yield begins_with_language
            else:
                yield from _mounts(entry.url_patterns, is_translated=begins_with_language)


def check_hidden_posts(app_configs: Configs, databases: Sequence[str] | None = None, **_: object) -> list[CheckMessage]:
    """Check that no list page hides a post; runs for the databases that are given."""
    if settings_faults() or engine_connection().alias not in (databases or ()) or missing_tables():
        return []
    from blog_engine.queries.posts import hidden_posts

    return [HIDDEN_POST.message(f"The blog itself uses the path of the post {slug!r}.") for slug in hidden_posts()]
