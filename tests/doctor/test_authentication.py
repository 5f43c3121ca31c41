from datetime import timedelta

import pytest
from pytest_django import Settings

from blog_engine.actor import Scope
from blog_engine.doctor.base import ProbeSkipped
from blog_engine.doctor.installation import probe_authentication
from blog_engine.services.tokens import create_token, revoke_token
from tests.requirements import requirement
from tests.support.assertions import verdict_of
from tests.support.factories import LATER, NOW
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db


@requirement("doctor.authentication")
def test_without_a_token_nobody_can_call() -> None:
    status, message = verdict_of(probe_authentication)

    assert status == "warning"
    assert "create_blog_token" in message


@requirement("doctor.authentication")
def test_an_active_token_is_enough() -> None:
    create_token("Ada", scopes=[Scope.READ], expires_at=LATER + timedelta(seconds=1), now=NOW)
    create_token("Kim", scopes=[], expires_at=None, now=NOW)

    status, message = verdict_of(probe_authentication)

    assert (status, "2" in message) == ("ok", True)


@requirement("doctor.authentication")
def test_revoked_and_expired_tokens_do_not_count() -> None:
    create_token("Ada", scopes=[Scope.READ], expires_at=LATER, now=NOW)
    revoke_token(create_token("Kim", scopes=[Scope.READ], expires_at=None, now=NOW).token, now=NOW)

    assert verdict_of(probe_authentication)[0] == "warning"


@requirement("doctor.authentication")
def test_a_hook_of_the_host_is_enough(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(authenticate="tests.support.hosts.authenticate")

    assert verdict_of(probe_authentication)[0] == "ok"


def test_a_hook_with_a_fault_is_left_to_configuration(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(authenticate="no.such.hook")

    with pytest.raises(ProbeSkipped):
        verdict_of(probe_authentication)
