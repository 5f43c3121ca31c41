import pytest
from django.test import RequestFactory
from pytest_django import Settings

from blog_engine.access.rate_limit import UNKNOWN_CLIENT, client_key
from tests.requirements import requirement
from tests.support.hosts import blog_settings


@requirement("access.rate.proxies")
@pytest.mark.parametrize(
    ("remote", "expected"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:9::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("", UNKNOWN_CLIENT),
        ("unix:", UNKNOWN_CLIENT),
    ],
)
def test_without_proxies_the_peer_is_the_client(remote: str, expected: str) -> None:
    request = RequestFactory(REMOTE_ADDR=remote).get("/", headers={"X-Forwarded-For": "198.51.100.1"})

    assert client_key(request) == expected


@requirement("access.rate.proxies")
@pytest.mark.parametrize(
    ("proxies", "forwarded", "expected"),
    [
        (1, "198.51.100.1", "198.51.100.1"),
        (1, "203.0.113.5, 198.51.100.1", "198.51.100.1"),
        (2, "203.0.113.5,198.51.100.1", "203.0.113.5"),
        (2, "10.0.0.1, 203.0.113.5 , 198.51.100.1", "203.0.113.5"),
        (1, "2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        (2, "198.51.100.1", "192.0.2.7"),
        (1, "", "192.0.2.7"),
        (1, "unknown", "192.0.2.7"),
        (1, "[2001:db8::1]:4711", "192.0.2.7"),
        (1, "198.51.100.1,", "192.0.2.7"),
        (1, "198.51.100.1\x00", "192.0.2.7"),
    ],
)
def test_trusted_proxies_tell_the_client(settings: Settings, proxies: int, forwarded: str, expected: str) -> None:
    settings.BLOG_ENGINE = blog_settings(trusted_proxies=proxies)
    request = RequestFactory(REMOTE_ADDR="192.0.2.7").get("/", headers={"X-Forwarded-For": forwarded})

    assert client_key(request) == expected
