"""System checks: what is wrong with an installation, said before the first request (decisions.md 1, 4 and 9.1).

``docs/reference/checks.md`` is made from ``RULES``. All checks but that of the database carry the tag ``blog_engine``.
The doctor runs those that carry ``SETTINGS_CHECKS`` too; what the others find, its own checks look at more closely.
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
from blog_engine.access.rate_limit import inexact_cache, limits_cache, limits_cache_exists
from blog_engine.conf import (
    SETTINGS_CHECKS,
    BlogSettings,
    FaultKind,
    get_settings,
    image_types_without_effect,
    settings_faults,
    unsafe_addresses,
)
from blog_engine.images.files import image_storage
from blog_engine.models.protection import is_supported
from blog_engine.queries.database import engine_connection, missing_tables
from blog_engine.queries.posts import hidden_posts

logger = logging.getLogger("blog_engine")

TAG = "blog_engine"


@dataclass(frozen=True, slots=True)
class Rule:
    """One check: its stable id, what it finds, and what to do about it."""

    id: str
    finds: str
    hint: str

    def message(self, text: str, *, hint: str = "") -> CheckMessage:
        """The finding; ``E`` ids are errors, ``W`` ids are warnings."""
        kind = Error if self.id.startswith("blog_engine.E") else Warning
        return kind(text, hint=hint or self.hint, id=self.id)


UNKNOWN_KEY = Rule("blog_engine.E001", "A key of `BLOG_ENGINE` is not a setting.", "Use the name that the hint gives.")
WRONG_VALUE = Rule(
    "blog_engine.E002",
    "A setting has a wrong type or value.",
    f"What each setting takes: {DOCUMENTATION}/reference/settings.md",
)
MISSING = Rule("blog_engine.E003", "A required setting is missing.", "Set it.")
HOOK = Rule("blog_engine.E004", "A hook cannot be loaded, or takes other arguments.", "Mend the path or the callable.")
USE_TZ_OFF = Rule(
    "blog_engine.E005", "`USE_TZ` is `False`.", "Set USE_TZ = True. Every time in the history has a zone."
)
APP_MISSING = Rule(
    "blog_engine.E006", "An app that the engine needs is not installed.", "Add it to INSTALLED_APPS; run migrate."
)
STORAGE_MISSING = Rule(
    "blog_engine.E007", "`storage` is not an alias of `STORAGES`.", "Name an alias of STORAGES, or add this one."
)
LAYOUT_MISSING = Rule(
    "blog_engine.E008",
    "The `layout` template is not found.",
    "Correct the name, or make the template loaders find it: APP_DIRS finds the engine's own.",
)
CACHE_MISSING = Rule(
    "blog_engine.E009",
    "`RATELIMIT_USE_CACHE` is not an alias of `CACHES`.",
    "Name an alias of CACHES, or add this one.",
)
HIDDEN_POST = Rule(
    "blog_engine.E010",
    "A value of `route_segments` is the slug of a stored post, which readers cannot reach then. "
    "Runs with `check --database default`.",
    "Choose another segment, or give the post another slug before the segment changes.",
)
MOUNTED_TWICE = Rule(
    "blog_engine.E012",
    "The engine's URLs are included more than once.",
    "Keep one include of blog_engine.urls: every post has one URL. Lead the other paths there with RedirectView.",
)
TRANSLATED_MOUNT = Rule(
    "blog_engine.E013",
    "The engine's URLs are included inside `i18n_patterns`.",
    "Move the include out of i18n_patterns: stored URLs must not change with the language of the visitor.",
)
DATABASE_NOT_SUPPORTED = Rule(
    "blog_engine.E014",
    "The blog's database is neither SQLite nor PostgreSQL.",
    "Use one of these two, for the blog alone if need be: a database router leads blog_engine to it.",
)
NO_PUBLIC_ADDRESS = Rule(
    "blog_engine.W001",
    "`public_base_url` is not set and `DEBUG` is `False`.",
    "Set it to the origin that readers use, such as https://example.com. Until then addresses follow the request.",
)
INEXACT_CACHE = Rule(
    "blog_engine.W002",
    "The cache of the rate limits is per process or loses counts, and `DEBUG` is `False`.",
    "Let RATELIMIT_USE_CACHE name a Redis or Memcached cache.",
)
NOT_MOUNTED = Rule(
    "blog_engine.W003",
    "The engine's URLs are not included.",
    'Add path("blog/", include("blog_engine.urls")) to the URL patterns.',
)
UNSAFE_ADDRESS = Rule(
    "blog_engine.W004",
    "An address in the settings is neither http(s) nor a path, so that pages leave it out.",
    "Write an address that starts with https://, http:// or a single /.",
)
IMAGE_TYPE_WITHOUT_EFFECT = Rule(
    "blog_engine.W005",
    "`image_content_types` lists a type that is never accepted.",
    "Remove it. Possible are image/png, image/jpeg, image/webp, image/gif and image/avif.",
)
NOT_TRANSLATED = Rule(
    "blog_engine.W007",
    "`USE_I18N` is `False`, and `locale` is not English or not `LANGUAGE_CODE`: pages are not in that language.",
    "Set USE_I18N = True, or leave out `locale` and set LANGUAGE_CODE to English.",
)

NO_MEDIA_ROOT = Rule(
    "blog_engine.W006",
    "`storage` keeps files in a folder that no setting names, so that images get into the working directory.",
    "Set MEDIA_ROOT to a folder that is kept and backed up, or give the storage a location.",
)

RULES = (
    *(UNKNOWN_KEY, WRONG_VALUE, MISSING, HOOK, USE_TZ_OFF, APP_MISSING, STORAGE_MISSING, LAYOUT_MISSING, CACHE_MISSING),
    *(HIDDEN_POST, MOUNTED_TWICE, TRANSLATED_MOUNT, DATABASE_NOT_SUPPORTED),
    *(NO_PUBLIC_ADDRESS, INEXACT_CACHE, NOT_MOUNTED, UNSAFE_ADDRESS, IMAGE_TYPE_WITHOUT_EFFECT, NO_MEDIA_ROOT),
    NOT_TRANSLATED,
)
_RULE_OF_FAULT = {
    FaultKind.UNKNOWN_KEY: UNKNOWN_KEY,
    FaultKind.WRONG_VALUE: WRONG_VALUE,
    FaultKind.MISSING: MISSING,
    FaultKind.HOOK: HOOK,
}
_NEEDED_APPS = ("django.contrib.auth", "django.contrib.contenttypes")

Configs = Sequence[AppConfig] | None


def register_checks() -> None:
    """Register every check of this file; called once, when the app is ready."""
    for check in (check_settings, check_settings_together, check_time_zones, check_apps, check_database):
        register(check, TAG, SETTINGS_CHECKS)
    # Not by TAG: with a tag, Django 6.1 runs checks of databases that nobody asked for.
    register(check_hidden_posts, Tags.database)
    for check in (check_storage, check_layout, check_rate_limit_cache, check_urls):
        register(check, TAG)


def check_settings(app_configs: Configs, **_: object) -> list[CheckMessage]:
    """Every fault of ``BLOG_ENGINE`` by itself."""
    return [
        _RULE_OF_FAULT[fault.kind].message(f"BLOG_ENGINE: {fault.key} {fault.problem}.", hint=fault.hint)
        for fault in settings_faults()
    ]


def check_settings_together(app_configs: Configs, **_: object) -> list[CheckMessage]:
    """Sound settings that do not fit the rest of the host."""
    if settings_faults():
        return []
    settings = get_settings()
    return [*_public_address(settings), *_addresses(settings), *_image_types(settings), *_language(settings)]


def check_storage(app_configs: Configs, **_: object) -> list[CheckMessage]:
    """The storage of images exists and has a place."""
    if settings_faults():
        return []
    alias = get_settings().storage
    if alias not in django_settings.STORAGES:
        return [STORAGE_MISSING.message(f"BLOG_ENGINE: storage names {alias!r}, which STORAGES does not have.")]
    try:
        storage = image_storage()
    except Exception as fault:
        # The doctor's own check shows it; a check that raises would hide the others.
        logger.info("The storage %r could not be looked at: %r", alias, fault)
        return []
    if isinstance(storage, FileSystemStorage) and not storage.base_location:
        return [NO_MEDIA_ROOT.message(f"The storage {alias!r} has no folder: MEDIA_ROOT is empty.")]
    return []


def check_layout(app_configs: Configs, **_: object) -> list[CheckMessage]:
    """The template that pages extend exists."""
    if settings_faults():
        return []
    try:
        get_template(get_settings().layout)
    except TemplateDoesNotExist as missing:
        return [LAYOUT_MISSING.message(f"BLOG_ENGINE: layout needs the template {missing}, which is not found.")]
    return []


def check_time_zones(app_configs: Configs, **_: object) -> list[CheckMessage]:
    """The host keeps times with their zone."""
    return [] if django_settings.USE_TZ else [USE_TZ_OFF.message("USE_TZ is False.")]


def check_apps(app_configs: Configs, **_: object) -> list[CheckMessage]:
    """The apps that the engine builds on are installed."""
    return [APP_MISSING.message(f"{name} is not installed.") for name in _NEEDED_APPS if not apps.is_installed(name)]


def check_database(app_configs: Configs, **_: object) -> list[CheckMessage]:
    """The database of the blog has triggers that protect the history; asks no database."""
    connection = engine_connection()
    if is_supported(connection):
        return []
    name = connection.display_name
    return [DATABASE_NOT_SUPPORTED.message(f"The database {connection.alias!r} is {name}, which is not supported.")]


def check_rate_limit_cache(app_configs: Configs, **_: object) -> list[CheckMessage]:
    """The cache that django-ratelimit counts in can count for several processes (dependencies.md 2.9)."""
    alias = limits_cache()
    if not limits_cache_exists():
        return [CACHE_MISSING.message(f"There is no cache {alias!r} for the rate limits.")]
    kind = inexact_cache()
    if kind is None:
        return []
    return [INEXACT_CACHE.message(f"The cache {alias!r} ({kind}) cannot count requests of several processes.")]


def check_urls(app_configs: Configs, **_: object) -> list[CheckMessage]:
    """The engine has one place among the host's URLs, the same in every language."""
    missing = [NOT_MOUNTED.message("The URLs of blog_engine are not included.")]
    if not getattr(django_settings, "ROOT_URLCONF", None):
        return missing
    try:
        reverse("blog_engine:index")
    except NoReverseMatch:
        return missing
    return [*_places(get_resolver().url_patterns)]


def _places(patterns: list[URLPattern | URLResolver]) -> Iterable[CheckMessage]:
    mounts = list(_mounts(patterns))
    if len(mounts) > 1:
        yield MOUNTED_TWICE.message(f"The URLs of blog_engine are included {len(mounts)} times.")
    if any(mounts):
        yield TRANSLATED_MOUNT.message("The URLs of blog_engine are included inside i18n_patterns.")


def _mounts(patterns: list[URLPattern | URLResolver], *, is_translated: bool = False) -> Iterator[bool]:
    """Yield for each include of the engine whether its path begins with the language of the visitor."""
    for entry in patterns:
        if isinstance(entry, URLResolver):
            begins_with_language = is_translated or isinstance(entry.pattern, LocalePrefixPattern)
            if entry.app_name == "blog_engine":
                yield begins_with_language
            else:
                yield from _mounts(entry.url_patterns, is_translated=begins_with_language)


def check_hidden_posts(app_configs: Configs, databases: Sequence[str] | None = None, **_: object) -> list[CheckMessage]:
    """No list page has taken the path of a post; asks the database only where Django is told to."""
    if settings_faults() or engine_connection().alias not in (databases or ()) or missing_tables():
        return []
    return [HIDDEN_POST.message(f"BLOG_ENGINE: route_segments hides the post {slug!r}.") for slug in hidden_posts()]


def _public_address(settings: BlogSettings) -> Iterable[CheckMessage]:
    if settings.public_base_url is None and not django_settings.DEBUG:
        yield NO_PUBLIC_ADDRESS.message("BLOG_ENGINE: public_base_url is not set.")


def _addresses(settings: BlogSettings) -> Iterable[CheckMessage]:
    for key in unsafe_addresses(settings):
        yield UNSAFE_ADDRESS.message(f"BLOG_ENGINE: {key} is neither an http(s) address nor a path.")


def _image_types(settings: BlogSettings) -> Iterable[CheckMessage]:
    for name in image_types_without_effect(settings):
        yield IMAGE_TYPE_WITHOUT_EFFECT.message(f"BLOG_ENGINE: image_content_types lists {name}.")


def _language(settings: BlogSettings) -> Iterable[CheckMessage]:
    own, host = settings.language.lower(), django_settings.LANGUAGE_CODE.replace("_", "-").lower()
    if not django_settings.USE_I18N and (own != host or own.partition("-")[0] != "en"):
        yield NOT_TRANSLATED.message(f"USE_I18N is False, but BLOG_ENGINE: locale is {settings.locale}.")
