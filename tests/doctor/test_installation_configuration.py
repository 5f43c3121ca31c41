import pytest
from pytest_django import Settings

from blog_engine.doctor.installation import probe_configuration
from tests.doctor.conftest import assert_verdict
from tests.requirements import requirement
from tests.support.hosts import blog_settings
from tests.support.tables import verdict_of

pytestmark = pytest.mark.django_db
"""With prepared statements, the doctor asks the database whether a pooler is between."""

OWN_NAMES = {"default_author": {"name": "Mina Holt"}, "site_name": "Harbour log", "publisher": {"name": "Quay Press"}}


@pytest.fixture(autouse=True)
def sound(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(**OWN_NAMES)


@requirement("doctor.approvals")
@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"require_approval": True}, "warning"),
        ({"require_approval": True, "approvals_by": "anyone"}, "warning"),
        ({"require_approval": True, "approvals_by": "people"}, "ok"),
        ({"approvals_by": "people"}, "ok"),
    ],
)
def test_an_approval_that_a_machine_can_give_is_a_warning(
    settings: Settings, changes: dict[str, object], status: str
) -> None:
    settings.BLOG_ENGINE = blog_settings(**changes)

    found, message = verdict_of(probe_configuration)

    assert (found, "approvals_by" in message) == (status, status == "warning")


@requirement("doctor.configuration")
def test_valid_settings_are_ok() -> None:
    assert verdict_of(probe_configuration)[0] == "ok"


@requirement("doctor.configuration")
@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"site_nmae": "x"}, "site_nmae"),
        ({"feed_size": "20"}, "feed_size"),
        ({"authenticate": "no.such.hook"}, "authenticate"),
        ({"site_name": " "}, "site_name"),
    ],
)
def test_a_faulty_setting_is_an_error_that_names_its_key(
    settings: Settings, changes: dict[str, object], key: str
) -> None:
    settings.BLOG_ENGINE = blog_settings(**changes)

    assert_verdict(probe_configuration, "error", key)


def test_all_faults_are_named(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(feed_size=0, posts_per_page=0)
    settings.USE_TZ = False

    message = assert_verdict(probe_configuration, "error")

    assert [name for name in ("feed_size", "posts_per_page", "USE_TZ") if name in message] == [
        "feed_size",
        "posts_per_page",
        "USE_TZ",
    ]


@requirement("doctor.configuration")
@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"site_name": "Example"}, "site_name"),
        ({"default_author": {"name": "Ada Example"}}, "default_author.name"),
        ({"publisher": {"name": "Example"}}, "publisher.name"),
        ({"public_base_url": None}, "public_base_url"),
        ({"policy_urls": {"ai_use": "javascript:alert(1)"}}, "policy_urls.ai_use"),
        ({"image_content_types": ["image/svg+xml"]}, "image/svg+xml"),
    ],
)
def test_a_questionable_setting_is_a_warning(settings: Settings, changes: dict[str, object], key: str) -> None:
    settings.BLOG_ENGINE = blog_settings(**changes)

    assert_verdict(probe_configuration, "warning", key)


def test_a_silenced_warning_is_not_reported(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url=None)
    settings.SILENCED_SYSTEM_CHECKS = ["blog_engine.W001"]

    assert verdict_of(probe_configuration)[0] == "ok"


def test_an_error_cannot_be_silenced(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(site_nmae="x")
    settings.SILENCED_SYSTEM_CHECKS = ["blog_engine.E001"]

    assert verdict_of(probe_configuration)[0] == "error"


@pytest.mark.parametrize("changes", [{"storage": "none"}, {"layout": "no/such.html"}])
def test_faults_of_other_probes_are_not_repeated(settings: Settings, changes: dict[str, object]) -> None:
    settings.BLOG_ENGINE = blog_settings(**changes)
    settings.ROOT_URLCONF = "django.contrib.auth.urls"
    settings.RATELIMIT_USE_CACHE = "none"

    assert verdict_of(probe_configuration)[0] == "ok"
