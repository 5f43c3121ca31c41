from collections.abc import Callable

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import override_settings
from pytest_django import Settings

from blog_engine.conf import authenticate_hook, before_publish_hook, parent_controller
from tests.requirements import requirement
from tests.support import hosts
from tests.support.hosts import REQUIRED

Hook = Callable[[], object]
HERE = "tests.support.hosts"


@pytest.mark.parametrize("hook", [authenticate_hook, before_publish_hook, parent_controller])
def test_without_a_setting_there_is_no_hook(settings: Settings, hook: Hook) -> None:
    settings.BLOG_ENGINE = REQUIRED

    assert hook() is None


@requirement("host.settings.hooks")
@pytest.mark.parametrize(
    ("hook", "key", "written", "loaded"),
    [
        (authenticate_hook, "authenticate", hosts.authenticate, hosts.authenticate),
        (authenticate_hook, "authenticate", f"{HERE}.authenticate", hosts.authenticate),
        (authenticate_hook, "authenticate", f"{HERE}.authenticate_with_more", hosts.authenticate_with_more),
        (authenticate_hook, "authenticate", dict, dict),
        (before_publish_hook, "before_publish", hosts.before_publish, hosts.before_publish),
        (before_publish_hook, "before_publish", f"{HERE}.before_publish", hosts.before_publish),
        (parent_controller, "parent_controller", hosts.LoginWall, hosts.LoginWall),
        (parent_controller, "parent_controller", f"{HERE}.LoginWall", hosts.LoginWall),
    ],
)
def test_a_hook_is_the_object_or_its_path(
    settings: Settings, hook: Hook, key: str, written: object, loaded: object
) -> None:
    settings.BLOG_ENGINE = {**REQUIRED, key: written}

    assert hook() is loaded


@pytest.mark.parametrize(
    ("hook", "key", "written"),
    [
        (authenticate_hook, "authenticate", "no.such.module"),
        (authenticate_hook, "authenticate", f"{HERE}.no_such_name"),
        (authenticate_hook, "authenticate", f"{HERE}.NOT_CALLABLE"),
        (authenticate_hook, "authenticate", hosts.authenticate_nobody),
        (authenticate_hook, "authenticate", f"{HERE}.authenticate_with_keyword"),
        (authenticate_hook, "authenticate", hosts.before_publish),
        (before_publish_hook, "before_publish", hosts.authenticate),
        (before_publish_hook, "before_publish", "no.such.module"),
        (parent_controller, "parent_controller", "no.such.module"),
        (parent_controller, "parent_controller", f"{HERE}.authenticate"),
    ],
)
def test_a_hook_that_cannot_be_used_is_refused_by_its_key(
    settings: Settings, hook: Hook, key: str, written: object
) -> None:
    settings.BLOG_ENGINE = {**REQUIRED, key: written}

    with pytest.raises(ImproperlyConfigured, match=rf"(?m)^{key} "):
        hook()


def test_a_hook_follows_overridden_settings(settings: Settings) -> None:
    settings.BLOG_ENGINE = REQUIRED
    before = authenticate_hook()

    with override_settings(BLOG_ENGINE={**REQUIRED, "authenticate": hosts.authenticate}):
        overridden = authenticate_hook()

    assert (before, overridden, authenticate_hook()) == (None, hosts.authenticate, None)
