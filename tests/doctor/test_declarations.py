import pytest
from pytest_django import Settings

from blog_engine.doctor.installation import probe_declarations
from tests.requirements import requirement
from tests.support.assertions import verdict_of
from tests.support.hosts import blog_settings

DECLARED: dict[str, object] = {"primary_list_type": "categories", "sign_in_destinations": []}


@requirement("doctor.declarations")
def test_declared_settings_are_well(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(**DECLARED)

    assert verdict_of(probe_declarations)[0] == "ok"


@requirement("doctor.declarations")
@pytest.mark.parametrize("name", DECLARED)
def test_a_setting_that_nobody_decided_is_a_warning(settings: Settings, name: str) -> None:
    settings.BLOG_ENGINE = blog_settings(**DECLARED | {name: ...})

    status, message = verdict_of(probe_declarations)

    assert status == "warning"
    assert [key for key in DECLARED if key in message] == [name]
