from ipaddress import ip_address

import pytest

from blog_engine.fetching import FetchRefused
from blog_engine.fetching.network import Deadline, resolve
from tests.support.web import Names


def test_every_address_comes_once_in_the_order_of_the_system(names: Names) -> None:
    names.lead("a.example", ["8.8.8.8", "::1", "8.8.8.8", "::ffff:127.0.0.1", "127.0.0.1"])

    addresses = resolve("a.example", 80, deadline=Deadline(5))

    assert addresses == [ip_address(text) for text in ("8.8.8.8", "::1", "127.0.0.1")]


@pytest.mark.parametrize("host", ["unknown.example", "empty.example"])
def test_a_host_without_an_address_is_refused(names: Names, host: str) -> None:
    names.lead("empty.example", [])

    with pytest.raises(FetchRefused):
        resolve(host, 80, deadline=Deadline(5))


def test_a_host_that_cannot_be_resolved_is_refused() -> None:
    with pytest.raises(FetchRefused):
        resolve("a..example", 80, deadline=Deadline(5))
