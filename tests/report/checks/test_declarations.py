import pytest
from pytest_django import Settings

from blog_engine.doctor.installation import probe_declarations
from tests.report.visiting import host, look
from tests.requirements import requirement

DECLARED: dict[str, object] = {"primary_list_type": "categories", "sign_in_destinations": []}


@requirement("doctor.declarations")
def test_declared_settings_are_well(settings: Settings) -> None:
    settings.BLOG_ENGINE = host(**DECLARED)

    assert look(probe_declarations)[0] == "ok"


@requirement("doctor.declarations")
@pytest.mark.parametrize("name", DECLARED)
def test_a_setting_that_nobody_decided_is_a_warning(settings: Settings, name: str) -> None:
    settings.BLOG_ENGINE = {key: value for key, value in host(**DECLARED).items() if key != name}

    status, message = look(probe_declarations)

    assert status == "warning"
    assert [key for key in DECLARED if key in message] == [name]
