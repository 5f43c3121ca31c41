import os
import sys
from pathlib import Path

import pytest
from django.apps import apps
from django.conf.urls.i18n import i18n_patterns
from django.core.checks import ERROR, CheckMessage, run_checks
from django.db import connections
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, include, path
from pytest_django import Settings

from blog_engine import checks
from blog_engine.apps import BlogEngineConfig
from blog_engine.checks import RULES, TAG
from blog_engine.oauth.provider import PROVIDER
from tests.requirements import requirement
from tests.support.factories import save
from tests.support.programs import environment, run

ROOT = Path(__file__).resolve().parents[1]
SOUND: dict[str, object] = {
    "site_name": "Garden Journal",
    "default_author": {"name": "Ada"},
    "publisher": {"name": "Garden Press"},
    "public_base_url": "https://example.com",
}
REDIS = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:6379"}

TEMPLATES = {
    "BACKEND": "django.template.backends.django.DjangoTemplates",
    "OPTIONS": {"loaders": [("django.template.loaders.locmem.Loader", {"blog_engine/layout.html": ""})]},
}


@pytest.fixture(autouse=True)
def sound_host(settings: Settings) -> None:
    """A host without faults, in which each test changes one setting."""
    settings.BLOG_ENGINE = SOUND
    settings.DEBUG = False
    settings.USE_TZ = True
    settings.CACHES = {"default": REDIS}
    settings.TEMPLATES = [TEMPLATES]
    settings.ROOT_URLCONF = __name__


def page(request: HttpRequest) -> HttpResponse:
    """A page of the host."""
    return HttpResponse()


MOUNT = include(([path("", page, name="index")], "blog_engine"))
urlpatterns = [path("blog/", MOUNT)]


def _findings() -> list[CheckMessage]:
    return run_checks(tags=[TAG])


def _ids() -> list[str | None]:
    return [finding.id for finding in _findings()]


def test_a_sound_host_has_no_findings() -> None:
    assert _findings() == []


@requirement("host.settings")
@pytest.mark.parametrize(
    ("written", "identifier", "key"),
    [
        ({"site_nmae": "x"}, "blog_engine.E001", "site_nmae"),
        ({"mcp": {"enable": True}}, "blog_engine.E001", "mcp.enable"),
        ({"mcp": {"max_page_size": "50"}}, "blog_engine.E002", "mcp.max_page_size"),
        ({"image_delivery": "stream"}, "blog_engine.E002", "image_delivery"),
        ({"publisher": {}}, "blog_engine.E003", "publisher.name"),
        ({"authenticate": "no.such.hook"}, "blog_engine.E004", "authenticate"),
        ({"before_publish": "tests.support.hosts.authenticate"}, "blog_engine.E004", "before_publish"),
        ({"parent_controller": "no.such.View"}, "blog_engine.E004", "parent_controller"),
        ({"markdown_plugins": ["tests.support.hosts.failing_plugin"]}, "blog_engine.E004", "markdown_plugins"),
        ({"markdown_plugins": ["tests.support.hosts.failing_rule"]}, "blog_engine.E004", "markdown_plugins"),
    ],
)
def test_a_fault_of_the_settings_is_an_error_of_its_class(
    settings: Settings, written: dict[str, object], identifier: str, key: str
) -> None:
    settings.BLOG_ENGINE = {**SOUND, **written}

    (finding,) = _findings()

    assert finding.id == identifier
    assert f" {key} " in finding.msg
    assert finding.hint


def test_each_fault_is_a_finding_of_its_own(settings: Settings) -> None:
    settings.BLOG_ENGINE = {"site_nmae": "x", "feed_size": 0, "authenticate": "no.such.hook"}

    assert sorted(map(str, _ids())) == [
        "blog_engine.E001",
        "blog_engine.E002",
        *["blog_engine.E003"] * 3,
        "blog_engine.E004",
    ]


@requirement("host.checks")
def test_a_host_without_time_zones_is_refused(settings: Settings) -> None:
    settings.USE_TZ = False

    assert _ids() == ["blog_engine.E005"]


@pytest.mark.parametrize("name", ["django.contrib.auth", "django.contrib.contenttypes"])
def test_a_needed_app_that_is_missing_is_an_error(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(apps, "is_installed", lambda app: app != name)

    (finding,) = _findings()

    assert finding.id == "blog_engine.E006"
    assert name in finding.msg


def test_a_storage_that_does_not_exist_is_an_error(settings: Settings) -> None:
    settings.BLOG_ENGINE = {**SOUND, "storage": "pictures"}

    assert _ids() == ["blog_engine.E007"]


def test_a_storage_of_the_host_is_found(settings: Settings) -> None:
    settings.STORAGES = {**settings.STORAGES, "pictures": settings.STORAGES["default"]}
    settings.BLOG_ENGINE = {**SOUND, "storage": "pictures"}

    assert _ids() == []


def test_a_layout_that_does_not_exist_is_an_error(settings: Settings) -> None:
    settings.BLOG_ENGINE = {**SOUND, "layout": "no/such/layout.html"}

    (finding,) = _findings()

    assert finding.id == "blog_engine.E008"
    assert "no/such/layout.html" in finding.msg


@requirement("host.checks")
def test_a_missing_public_base_url_is_a_warning_in_production(settings: Settings) -> None:
    settings.BLOG_ENGINE = {**SOUND, "public_base_url": None}

    assert _ids() == ["blog_engine.W001"]


def test_a_missing_public_base_url_is_fine_in_development(settings: Settings) -> None:
    settings.BLOG_ENGINE = {**SOUND, "public_base_url": None}
    settings.DEBUG = True

    assert _ids() == []


@pytest.mark.parametrize(
    "cache",
    [
        {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
        {"BACKEND": "django.core.cache.backends.dummy.DummyCache"},
        {"BACKEND": "django.core.cache.backends.filebased.FileBasedCache", "LOCATION": "/nonexistent"},
        {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "cache_table"},
    ],
)
def test_a_cache_that_cannot_count_exactly_is_a_warning_in_production(
    settings: Settings, cache: dict[str, str]
) -> None:
    settings.CACHES = {"default": cache}
    in_production = _ids()

    settings.DEBUG = True

    assert (in_production, _ids()) == (["blog_engine.W002"], [])


@pytest.mark.parametrize(("alias", "ids"), [("default", ["blog_engine.W002"]), ("shared", [])])
def test_the_cache_of_the_rate_limits_is_checked(settings: Settings, alias: str, ids: list[str]) -> None:
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}, "shared": REDIS}
    settings.RATELIMIT_USE_CACHE = alias

    assert _ids() == ids


def test_a_cache_of_the_rate_limits_that_does_not_exist_is_an_error(settings: Settings) -> None:
    settings.RATELIMIT_USE_CACHE = "shared"

    assert _ids() == ["blog_engine.E009"]


def test_urls_that_are_not_included_are_a_warning(settings: Settings) -> None:
    settings.ROOT_URLCONF = "django.contrib.auth.urls"

    assert _ids() == ["blog_engine.W003"]


def test_a_host_without_any_urls_is_warned_too(settings: Settings) -> None:
    del settings.ROOT_URLCONF

    assert _ids() == ["blog_engine.W003"]


def patterns(settings: Settings, *entries: URLPattern | URLResolver) -> None:
    settings.ROOT_URLCONF = type("Urls", (), {"urlpatterns": [*entries]})


@requirement("host.mount.once")
def test_a_second_mount_is_an_error(settings: Settings) -> None:
    again = include(([path("", page, name="index")], "blog_engine"), namespace="journal")
    patterns(settings, path("blog/", MOUNT), path("journal/", again))

    (finding,) = _findings()

    assert finding.id == "blog_engine.E012"
    assert "2 times" in finding.msg


@requirement("host.mount.once")
def test_a_second_mount_deep_in_other_patterns_is_found(settings: Settings) -> None:
    patterns(settings, path("blog/", MOUNT), path("a/", include([path("b/", include([path("c/", MOUNT)]))])))

    assert _ids() == ["blog_engine.E012"]


@requirement("host.mount.once")
@pytest.mark.parametrize("prefixed", [True, False])
def test_a_mount_inside_i18n_patterns_is_an_error(settings: Settings, prefixed: bool) -> None:
    inside = i18n_patterns(path("site/", include([path("blog/", MOUNT)])), prefix_default_language=prefixed)
    patterns(settings, *inside)

    assert _ids() == ["blog_engine.E013"]


@requirement("host.mount.once")
def test_a_mount_beside_i18n_patterns_is_sound(settings: Settings) -> None:
    patterns(settings, *i18n_patterns(path("shop/", page)), path("blog/", MOUNT))

    assert _ids() == []


@requirement("pages.language")
@pytest.mark.parametrize(
    ("use_i18n", "language_code", "locale", "ids"),
    [
        (True, "en-us", "de", []),
        (False, "en-us", None, []),
        (False, "en-us", "en_US", []),
        (False, "en-us", "de", ["blog_engine.W007"]),
        (False, "en-us", "en-gb", ["blog_engine.W007"]),
        (False, "de", None, ["blog_engine.W007"]),
        (False, "de", "en", ["blog_engine.W007"]),
    ],
)
def test_a_language_that_pages_cannot_have_is_a_warning(
    settings: Settings, use_i18n: bool, language_code: str, locale: str | None, ids: list[str]
) -> None:
    settings.USE_I18N = use_i18n
    settings.LANGUAGE_CODE = language_code
    settings.BLOG_ENGINE = SOUND | ({"locale": locale} if locale else {})

    assert _ids() == ids


@requirement("agents.oauth.off")
def test_an_authorization_server_without_a_hook_is_a_warning(settings: Settings) -> None:
    settings.BLOG_ENGINE = {**SOUND, "oauth_authorization_server": "https://login.example"}
    without = _ids()
    settings.BLOG_ENGINE = settings.BLOG_ENGINE | {"authenticate": page}

    assert (without, _ids()) == (["blog_engine.W008"], [])


@requirement("approvals.signed.extra")
def test_signed_approvals_without_the_extra_are_an_error(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.BLOG_ENGINE = {**SOUND, "approvals_signed": True}
    assert _ids() == []
    monkeypatch.setattr(checks, "CAN_SIGN", False)

    (finding,) = _findings()

    assert (finding.id, finding.level) == ("blog_engine.E017", ERROR)
    assert "blog-engine[passkeys]" in str(finding.hint)


@requirement("oauth.checks")
def test_oauth_without_what_it_needs_is_an_error(settings: Settings) -> None:
    settings.BLOG_ENGINE = {**SOUND, "oauth": True}
    sound = _ids()
    settings.OAUTH2_PROVIDER = {
        **PROVIDER,
        "ACCESS_TOKEN_EXPIRE_SECONDS": 60,
        "SCOPES": {**PROVIDER["SCOPES"], "x": ""},
    }
    changed = _ids()
    settings.INSTALLED_APPS = [name for name in settings.INSTALLED_APPS if name != "oauth2_provider"]

    assert (sound, changed, _ids()) == ([], [], ["blog_engine.E015"])


@requirement("oauth.checks")
@pytest.mark.parametrize(
    "written",
    [
        {},
        {**PROVIDER, "PKCE_REQUIRED": False},
        {**PROVIDER, "SCOPES": {"read": ""}},
        {**PROVIDER, "REFRESH_TOKEN_EXPIRE_SECONDS": None},
        {**PROVIDER, "ALLOWED_REDIRECT_URI_SCHEMES": ["http", "javascript"]},
    ],
    ids=str,
)
def test_an_oauth_provider_that_is_less_strict_is_an_error(settings: Settings, written: object) -> None:
    settings.BLOG_ENGINE = {**SOUND, "oauth": True}
    settings.OAUTH2_PROVIDER = written

    assert _ids() == ["blog_engine.E016"]


@requirement("oauth.checks")
def test_oauth_beside_a_hook_is_a_warning(settings: Settings) -> None:
    settings.BLOG_ENGINE = {**SOUND, "oauth": True, "authenticate": page}

    assert _ids() == ["blog_engine.W009"]


def test_a_url_that_pages_leave_out_is_a_warning(settings: Settings) -> None:
    settings.BLOG_ENGINE = {**SOUND, "policy_urls": {"ai_use": "javascript:alert(1)"}}

    (finding,) = _findings()

    assert finding.id == "blog_engine.W004"
    assert "policy_urls.ai_use" in finding.msg


def test_an_image_type_that_is_never_accepted_is_a_warning(settings: Settings) -> None:
    settings.BLOG_ENGINE = {**SOUND, "image_content_types": ["image/png", "image/svg+xml"]}

    (finding,) = _findings()

    assert finding.id == "blog_engine.W005"
    assert "image/svg+xml" in finding.msg


@requirement("host.checks.ids")
def test_every_id_stands_for_one_rule() -> None:
    identifiers = [rule.id for rule in RULES]

    assert sorted(set(identifiers)) == sorted(identifiers)
    assert all(rule.hint for rule in RULES)


def test_the_app_keeps_its_own_primary_keys() -> None:
    config = apps.get_app_config("blog_engine")

    assert isinstance(config, BlogEngineConfig)
    assert (config.label, config.default_auto_field) == ("blog_engine", "django.db.models.BigAutoField")


@requirement("host.checks")
@pytest.mark.heavy
def test_faulty_settings_are_reported_in_a_new_process(tmp_path: Path) -> None:
    # Here the models were imported with sound settings; a host that starts has no such luck.
    (tmp_path / "faulty_host.py").write_text("from example_site.settings import *\nBLOG_ENGINE['site_nmae'] = 'x'\n")
    path = f"{tmp_path}{os.pathsep}{ROOT}"
    faulty = environment({"DJANGO_SETTINGS_MODULE": "faulty_host", "PYTHONPATH": path})
    command = [sys.executable, "-m", "django", "check"]

    done = run(command, env=faulty)

    assert done.returncode == 1
    assert "blog_engine.E001" in done.stderr
    assert "Traceback" not in done.stderr


@requirement("host.databases")
@pytest.mark.parametrize("vendor", ["mysql", "oracle", "microsoft"])
def test_a_database_without_our_triggers_is_an_error(monkeypatch: pytest.MonkeyPatch, vendor: str) -> None:
    monkeypatch.setattr(connections["default"], "vendor", vendor)

    found = run_checks(tags=[TAG])

    assert "blog_engine.E014" in [message.id for message in found]


@requirement("doctor.route.hidden-posts")
@pytest.mark.django_db
@pytest.mark.parametrize(("databases", "hidden"), [(["default"], ["rubrik"]), ([], []), (None, [])])
def test_a_segment_that_hides_a_post_is_an_error_where_databases_are_checked(
    settings: Settings, databases: list[str] | None, hidden: list[str]
) -> None:
    save(title="Rubrik", slug="rubrik")
    settings.BLOG_ENGINE = {**SOUND, "route_segments": {"category": "rubrik"}}

    messages = [finding.msg for finding in run_checks(databases=databases) if finding.id == "blog_engine.E010"]
    assert [slug for message in messages for slug in ("rubrik",) if slug in message] == hidden


def test_file_storage_without_a_folder_is_a_warning(settings: Settings) -> None:
    settings.MEDIA_ROOT = ""

    (finding,) = _findings()

    assert (finding.id, "MEDIA_ROOT" in (finding.hint or "")) == ("blog_engine.W006", True)


@pytest.mark.parametrize(
    "storage",
    [
        {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": "/srv/images"}},
        {"BACKEND": "django.core.files.storage.InMemoryStorage"},
        {"BACKEND": "no.such.Storage"},
        {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"bucket": "journal"}},
    ],
    ids=["a folder of its own", "another backend", "no backend", "options of another"],
)
def test_media_root_is_not_required_by_other_storages(settings: Settings, storage: dict[str, object]) -> None:
    settings.MEDIA_ROOT = ""
    settings.STORAGES = {**settings.STORAGES, "default": storage}

    assert _findings() == []
