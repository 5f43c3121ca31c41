"""No request reaches an IP address that is not permitted."""

import errno
import socket
from contextlib import nullcontext
from ipaddress import ip_address
from typing import Any

import pytest

from blog_engine.fetching import FetchRefused, IPAddress, Origin, any_address, fetch, fetch_headers, is_public
from blog_engine.fetching.network import Deadline, resolve
from blog_engine.fetching.urls import NOTHING_FETCHED
from tests.fetching.conftest import Serve
from tests.requirements import requirement
from tests.support.web import Names, Server, answer, by_path, says


@pytest.fixture
def canary(serve: Serve) -> Server:
    """Listens on every IP address of this machine, of both versions."""
    return serve(says(answer(b"a secret")), host="")


HOSTS = [
    "127.0.0.1",
    "127.0.0.53",
    "127.1",
    "127.0.1",
    "2130706433",
    "017700000001",
    "0177.0.0.1",
    "0x7f.1",
    "0x7f000001",
    "0x7f.0.0.0x1",
    "0.0.0.0",  # noqa: S104
    "0",
    "0x0",
    "127.0.0.1.",
    "127\u30020\uff0e0\uff611",
    "\uff11\uff12\uff17.0.0.1",
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b:1::7f00:1]",
    "[2002:7f00:1::]",
    "[2001:0:7f00:1::]",
    "[fe80::1]",
    "[fe80::1%25lo]",
    "[fec0::1]",
    "[fd00::1]",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "\u24c1ocalhost",
    "%6cocalhost",
    "localhost%00.example",
    "user@localhost",
    "example.com@localhost",
    "example.com\\@localhost",
    "loopback.example",
    "mapped.example",
    "metadata.example",
    "nat64.example",
    "mixed.example",
    "mixed-late.example",
    "mixed-versions.example",
    "unspecified.example",
    "nowhere.example",
    "unknown.example",
]


@pytest.fixture
def hostile_names(names: Names) -> Names:
    names.lead("localhost", ["127.0.0.1", "::1"])
    names.lead("localhost.", ["127.0.0.1"])
    names.lead("loopback.example", ["127.0.0.1"])
    names.lead("mapped.example", ["::ffff:127.0.0.1"])
    names.lead("metadata.example", ["169.254.169.254"])
    names.lead("nat64.example", ["64:ff9b::7f00:1"])
    names.lead("mixed.example", ["127.0.0.1", "8.8.8.8"])
    names.lead("mixed-late.example", ["8.8.8.8", "8.8.4.4", "10.0.0.1"])
    names.lead("mixed-versions.example", ["8.8.8.8", "::1"])
    names.lead("unspecified.example", ["0.0.0.0"])  # noqa: S104
    names.lead("nowhere.example", [])
    return names


@requirement("images.fetch.public")
@pytest.mark.usefixtures("hostile_names")
@pytest.mark.parametrize("host", HOSTS)
def test_a_server_that_is_not_public_is_never_reached(canary: Server, host: str) -> None:
    with pytest.raises(FetchRefused):
        fetch(f"http://{host}:{canary.port}/", limit=10, seconds=5)
    with pytest.raises(FetchRefused):
        fetch_headers(f"http://{host}:{canary.port}/", seconds=5, step_seconds=5, user_agent="Me")

    assert canary.hits() == 0


@pytest.mark.usefixtures("hostile_names")
@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.53", "localhost", "loopback.example", "mapped.example", "[::1]", "[::ffff:7f00:1]"]
)
def test_any_server_is_reached_when_every_address_is_permitted(canary: Server, host: str) -> None:
    fetched = fetch(f"http://{host}:{canary.port}/", limit=10, permits=any_address, seconds=5)

    assert (fetched.body, canary.hits()) == (b"a secret", 1)


@requirement("images.fetch.discreet")
def test_the_reason_does_not_reveal_why_an_ip_address_was_not_fetched(canary: Server, names: Names) -> None:
    names.lead("internal.example", ["10.0.0.1"])
    reasons = set()

    for url in ("http://internal.example/", "http://unknown.example/", f"http://127.0.0.1:{canary.port}/"):
        with pytest.raises(FetchRefused) as caught:
            fetch(url, limit=10, seconds=5)
        reasons.add(caught.value.reason)

    assert reasons == {NOTHING_FETCHED}


def only_the_site(origin: Origin, address: IPAddress) -> bool:
    return origin.host == "site.example" or is_public(address)


@requirement("images.fetch.public")
@pytest.mark.parametrize(
    "location",
    [
        "http://127.0.0.1:{port}/",
        "http://127.1:{port}/",
        "http://[::1]:{port}/",
        "//localhost:{port}/",
        "//loopback.example:{port}/",
        "//mixed.example:{port}/",
        "//metadata.example/",
        "http://site.example@127.0.0.1:{port}/",
        "http://site.example:80@127.0.0.1:{port}/",
        "http://127.0.0.1:{port}\\@site.example/",
    ],
)
def test_a_redirect_to_a_server_that_is_not_public_is_refused(
    serve: Serve, canary: Server, hostile_names: Names, location: str
) -> None:
    hostile_names.lead("site.example", ["127.0.0.1"])
    target = location.format(port=canary.port)
    site = serve(
        by_path({"/": answer(status="302 Found", Location="/b"), "/b": answer(status="307 B", Location=target)})
    )

    with pytest.raises(FetchRefused):
        fetch(f"http://site.example:{site.port}/", limit=10, permits=only_the_site, seconds=5)

    assert (len(site.requests), canary.hits()) == (2, 0)


@requirement("images.fetch.every-ip")
def test_a_permit_is_asked_about_the_origin_and_each_of_its_addresses(names: Names) -> None:
    names.lead("example.com", ["127.0.0.1", "::1", "::ffff:10.0.0.1"])
    asked: list[tuple[Origin, IPAddress]] = []

    def permits(origin: Origin, address: IPAddress) -> bool:
        asked.append((origin, address))
        return len(asked) < 3

    with pytest.raises(FetchRefused):
        fetch("https://Example.com/", limit=10, permits=permits, seconds=5)

    origin = Origin("https", "example.com", 443)
    assert asked == [(origin, ip_address(text)) for text in ("127.0.0.1", "::1", "10.0.0.1")]


@requirement("images.fetch.pinned")
def test_the_connection_goes_to_the_address_that_was_checked(serve: Serve, names: Names) -> None:
    names.lead("rebinding.example", ["127.0.0.1"], ["127.0.0.2"])
    server = serve(says(answer(b"checked")))
    serve(says(answer(b"a secret")), host="127.0.0.2", port=server.port)

    fetched = fetch(f"http://rebinding.example:{server.port}/", limit=10, permits=any_address, seconds=5)

    assert (fetched.body, names.asked) == (b"checked", ["rebinding.example"])


@requirement("images.fetch.public")
def test_each_redirect_is_looked_up_and_checked_anew(serve: Serve, names: Names) -> None:
    names.lead("rebinding.example", ["127.0.0.1"], ["127.0.0.2"])
    server = serve(says(answer(status="302 Found", Location="/again")))
    other = serve(says(answer(b"a secret")), host="127.0.0.2", port=server.port)

    with pytest.raises(FetchRefused):
        fetch(
            f"http://rebinding.example:{server.port}/",
            limit=10,
            permits=lambda origin, address: address == ip_address("127.0.0.1"),
            seconds=5,
        )

    assert (names.asked, len(server.requests), other.requests) == (["rebinding.example"] * 2, 1, [])


def test_the_next_address_is_tried_when_one_refuses(serve: Serve, names: Names) -> None:
    names.lead("two.example", ["127.0.0.2", "127.0.0.1"])
    server = serve(says(answer(b"abc")))

    assert fetch(f"http://two.example:{server.port}/", limit=10, permits=any_address).body == b"abc"


@requirement("images.fetch.attempts")
@pytest.mark.parametrize(("refusing", "is_reached"), [(5, True), (6, False)])
def test_six_addresses_are_tried_and_no_more(serve: Serve, names: Names, refusing: int, is_reached: bool) -> None:
    names.lead("many.example", [*(f"127.0.0.{number + 2}" for number in range(refusing)), "127.0.0.1"])
    server = serve(says(answer(b"abc")))

    with nullcontext() if is_reached else pytest.raises(FetchRefused):
        fetch(f"http://many.example:{server.port}/", limit=10, permits=any_address, seconds=5)

    assert server.hits() == is_reached


def test_a_machine_without_ipv6_asks_the_other_addresses(
    serve: Serve, names: Names, monkeypatch: pytest.MonkeyPatch
) -> None:
    names.lead("both.example", ["::1", "127.0.0.1"])
    server = serve(says(answer(b"abc")))
    make = socket.socket

    def without_ipv6(family: int = -1, *args: Any, **kwargs: Any) -> socket.socket:
        if family == socket.AF_INET6:
            raise OSError(errno.EAFNOSUPPORT, "IPAddress family not supported by protocol")
        return make(family, *args, **kwargs)

    monkeypatch.setattr(socket, "socket", without_ipv6)

    assert fetch(f"http://both.example:{server.port}/", limit=10, permits=any_address).body == b"abc"


@requirement("images.fetch.direct")
def test_the_environment_sends_no_request_elsewhere(
    serve: Serve, canary: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{canary.port}")
        monkeypatch.setenv(name.lower(), f"http://127.0.0.1:{canary.port}")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    server = serve(says(answer(b"direct")))

    fetched = fetch(f"http://127.0.0.1:{server.port}/", limit=10, permits=any_address, seconds=5)

    assert (fetched.body, canary.hits()) == (b"direct", 0)


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
