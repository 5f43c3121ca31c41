"""The setting ``notify``."""

from typing import Any

import pytest

from blog_engine.conf.faults import faults_in
from blog_engine.conf.model import BlogSettings
from tests.requirements import requirement
from tests.support.hosts import REQUIRED
from tests.support.web import SECRET

HOOK = {"url": "https://hooks.example/in", "secret": SECRET}
WITH_ORIGIN = {**REQUIRED, "public_base_url": "https://example.com"}


def faulty(notify: Any, **changes: Any) -> list[str]:
    return [fault.key for fault in faults_in({**WITH_ORIGIN, **changes, "notify": notify})]


@pytest.mark.parametrize(
    "notify",
    [
        {"webhooks": [HOOK]},
        {"webhooks": [{**HOOK, "events": ["post.published", "proposal.made"]}], "kept_days": 7},
        {"webhooks": [{**HOOK, "url": "http://10.0.0.5:8000/in"}], "private_receivers": True},
        {"websub_hub": "https://hub.example/", "indexnow_key": "abcdEF12-34567"},
    ],
)
def test_receivers_are_accepted(notify: dict[str, Any]) -> None:
    assert faulty(notify) == []


@requirement("webhooks.settings")
@pytest.mark.parametrize(
    ("notify", "key"),
    [
        ({"webhooks": [{"url": HOOK["url"]}]}, "notify.webhooks[0].secret"),
        ({"webhooks": [{**HOOK, "secret": "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}]}, "notify.webhooks[0].secret"),
        ({"webhooks": [{**HOOK, "secret": "whsec_MfKQ9r8GKYqrTwjUPD8I"}]}, "notify.webhooks[0].secret"),
        (
            {"webhooks": [{**HOOK, "previous_secret": "whsec_MfKQ9r8GKYqrTwjUPD8I"}]},
            "notify.webhooks[0].previous_secret",
        ),
        ({"webhooks": [{**HOOK, "secret": "whsec_" + 90 * "A"}]}, "notify.webhooks[0].secret"),
        ({"webhooks": [{**HOOK, "secret": SECRET[:-1] + "!"}]}, "notify.webhooks[0].secret"),
        ({"webhooks": [{**HOOK, "events": ["post.deleted"]}]}, "notify.webhooks[0].events"),
        ({"webhooks": [{**HOOK, "events": []}]}, "notify.webhooks[0].events"),
        ({"webhooks": [HOOK, {**HOOK, "url": "hooks.example/in"}]}, "notify.webhooks[1].url"),
        ({"webhooks": [HOOK, HOOK]}, "notify"),
        ({"webhooks": [{**HOOK, "url": "http://hooks.example/in"}]}, "notify"),
        ({"websub_hub": "http://hub.example/"}, "notify"),
        ({"indexnow_key": "abcdefgh", "indexnow_url": "http://search.example/"}, "notify"),
        ({"indexnow_key": "short"}, "notify.indexnow_key"),
        ({"indexnow_key": "under_score"}, "notify.indexnow_key"),
        ({"kept_days": 0}, "notify.kept_days"),
        ({"webhook": []}, "notify.webhook"),
        ({"webhooks": [{**HOOK, "urls": []}]}, "notify.webhooks[0].urls"),
    ],
)
def test_a_faulty_receiver_is_a_fault_without_its_secret(notify: dict[str, Any], key: str) -> None:
    faults = faults_in({**WITH_ORIGIN, "notify": notify})

    assert [fault.key for fault in faults] == [key]
    assert "MfKQ9r8G" not in repr(faults)


@requirement("webhooks.settings")
@pytest.mark.parametrize(
    "notify", [{"webhooks": [HOOK]}, {"websub_hub": "https://hub.example/"}, {"indexnow_key": "abcdefgh"}]
)
def test_a_receiver_needs_the_origin_of_the_blog(notify: dict[str, Any]) -> None:
    assert faulty(notify, public_base_url=None) == ["notify"]
    assert faulty({"kept_days": 7}, public_base_url=None) == []


@requirement("webhooks.secrets")
def test_settings_do_not_show_the_secret() -> None:
    settings = BlogSettings.model_validate(
        {**WITH_ORIGIN, "notify": {"webhooks": [{**HOOK, "previous_secret": SECRET}]}}
    )

    assert settings.notify.webhooks[0].secret.hex().startswith("31f290f6bf06")
    assert "secret" not in repr(settings)
    assert repr(settings.notify.webhooks[0].secret) not in repr(settings)
