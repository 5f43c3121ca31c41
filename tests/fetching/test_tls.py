"""Certificates are verified against the host of the URL, whatever IP address is pinned."""

import pytest

from blog_engine.fetching import FetchRefused, any_address, fetch
from blog_engine.fetching.urls import UNUSABLE_REDIRECT
from tests.fetching.conftest import Serve
from tests.requirements import requirement
from tests.support.web import Names, answer, by_path, says, server_context


@requirement("images.fetch.pinned")
@pytest.mark.usefixtures("trusted")
def test_a_server_gets_the_name_that_its_certificate_proves(serve: Serve, names: Names) -> None:
    names.lead("images.example", ["127.0.0.1"])
    server = serve(says(answer(b"abc")), tls=server_context("images.example"))

    fetched = fetch(f"https://images.example:{server.port}/", limit=10, permits=any_address, seconds=5)

    assert (fetched.body, server.server_names) == (b"abc", ["images.example"])
    assert f"Host: images.example:{server.port}\n" in server.requests[0]


@pytest.mark.usefixtures("trusted")
def test_an_international_name_is_proved_encoded(serve: Serve, names: Names) -> None:
    names.lead("xn--mnchen-3ya.example", ["127.0.0.1"])
    server = serve(says(answer(b"abc")), tls=server_context("xn--mnchen-3ya.example"))

    fetched = fetch(f"https://münchen.example:{server.port}/", limit=10, permits=any_address, seconds=5)

    assert (fetched.body, server.server_names) == (b"abc", ["xn--mnchen-3ya.example"])


@pytest.mark.usefixtures("trusted")
def test_an_ip_address_is_verified(serve: Serve) -> None:
    server = serve(says(answer(b"abc")), tls=server_context("127.0.0.1"))

    assert fetch(f"https://127.0.0.1:{server.port}/", limit=10, permits=any_address, seconds=5).body == b"abc"


@requirement("images.fetch.pinned")
@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize(
    ("certified", "days"),
    [("other.example", 1), ("127.0.0.1", 1), ("*.images.example", 1), ("images.example", -1)],
    ids=["another name", "the IP address", "names below", "expired"],
)
def test_a_server_that_cannot_prove_its_name_gets_no_request(
    serve: Serve, names: Names, certified: str, days: int
) -> None:
    names.lead("images.example", ["127.0.0.1"])
    server = serve(says(answer(b"abc")), tls=server_context(certified, days=days))

    with pytest.raises(FetchRefused):
        fetch(f"https://images.example:{server.port}/", limit=10, permits=any_address, seconds=5)

    assert server.requests == []


def test_a_certificate_of_an_unknown_authority_is_refused(serve: Serve, names: Names) -> None:
    names.lead("images.example", ["127.0.0.1"])
    server = serve(says(answer(b"abc")), tls=server_context("images.example"))

    with pytest.raises(FetchRefused):
        fetch(f"https://images.example:{server.port}/", limit=10, permits=any_address, seconds=5)

    assert server.requests == []


def test_a_server_without_tls_is_refused(serve: Serve) -> None:
    server = serve(says(answer(b"abc")))

    with pytest.raises(FetchRefused):
        fetch(f"https://127.0.0.1:{server.port}/", limit=10, permits=any_address, seconds=0.3)


@requirement("images.fetch.https")
@pytest.mark.usefixtures("trusted")
def test_a_redirect_does_not_leave_https(serve: Serve, names: Names) -> None:
    names.lead("images.example", ["127.0.0.1"])
    plain = serve(says(answer(b"abc")))
    target = f"http://images.example:{plain.port}/"
    server = serve(says(answer(status="302 Found", Location=target)), tls=server_context("images.example"))

    with pytest.raises(FetchRefused) as caught:
        fetch(f"https://images.example:{server.port}/", limit=10, permits=any_address, seconds=5)

    assert (caught.value.reason, plain.hits()) == (UNUSABLE_REDIRECT, 0)


@pytest.mark.usefixtures("trusted")
def test_a_redirect_proves_its_own_name(serve: Serve, names: Names) -> None:
    names.lead("images.example", ["127.0.0.1"])
    names.lead("files.example", ["127.0.0.1"])
    files = serve(by_path({"/b": answer(b"abc")}), tls=server_context("files.example"))
    target = f"https://files.example:{files.port}/b"
    plain = serve(says(answer(status="302 Found", Location=target)))

    fetched = fetch(f"http://images.example:{plain.port}/", limit=10, permits=any_address, seconds=5)

    assert (fetched.url, fetched.body, files.server_names) == (target, b"abc", ["files.example"])
