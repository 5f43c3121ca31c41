"""Images from other servers, over real sockets and without a database."""

import logging
import socket
from hashlib import sha256
from inspect import signature
from threading import Barrier, Lock
from time import monotonic

import pytest
from pytest_django import Settings

from blog_engine.errors import ImageNotPermitted
from blog_engine.images.fetched import fetch_digests, fetch_image
from blog_engine.images.inspect import inspect_image
from tests.fetching.conftest import Serve
from tests.requirements import requirement
from tests.support.hosts import blog_settings
from tests.support.images import png
from tests.support.web import Names, Server, answer, by_path, drips, is_silent, says, server_context


@pytest.fixture
def open_policy(settings: Settings) -> None:
    """Permit servers on the loopback interface."""
    settings.BLOG_ENGINE = blog_settings(image_fetch_policy="open")


def refusal(url: str, *, seconds: float = 5) -> ImageNotPermitted:
    with pytest.raises(ImageNotPermitted) as caught:
        fetch_image(url, seconds=seconds)
    return caught.value


@requirement("images.fetch.open", "images.fetch.answer")
@pytest.mark.usefixtures("open_policy")
def test_an_image_is_fetched_and_inspected(serve: Serve) -> None:
    server = serve(says(answer(png(), Content_Type="text/html")))
    url = f"http://127.0.0.1:{server.port}/a/red.png?size=2#top"

    image = fetch_image(url)

    assert image == inspect_image(png(), filename="red.png", source_url=url)


@requirement("images.fetch.public")
def test_a_server_that_is_not_public_is_refused(serve: Serve) -> None:
    server = serve(says(answer(png())))

    refused = refusal(f"http://127.0.0.1:{server.port}/red.png")

    assert (refused.details, server.hits()) == ([], 0)


@requirement("images.fetch.filename")
@pytest.mark.usefixtures("open_policy")
@pytest.mark.parametrize(
    ("path", "filename"),
    [
        ("/a/red.png", "red.png"),
        ("/red%20dot.png", "red dot.png"),
        ("/r%C3%B6d.png", "röd.png"),
        ("/a%2Fb%5Cred.png", "red.png"),
        ("/red.png?b.png#/c.png", "red.png"),
        ("/photo", "photo"),
        ("", "image"),
        ("/", "image"),
        ("/a/", "image"),
        ("/..%2F", "image"),
        ("/%2e%2e", "image"),
        ("/%00.png", "image"),
        ("/%20", "image"),
    ],
)
def test_the_last_part_of_the_path_names_the_file(serve: Serve, path: str, filename: str) -> None:
    server = serve(says(answer(png())))

    assert fetch_image(f"http://127.0.0.1:{server.port}{path}").filename == filename


@requirement("images.fetch.filename")
@pytest.mark.usefixtures("open_policy")
def test_the_url_that_answers_names_the_file(serve: Serve) -> None:
    server = serve(by_path({"/a": answer(status="302 Found", Location="/red.png"), "/red.png": answer(png())}))
    url = f"http://127.0.0.1:{server.port}/a"

    image = fetch_image(url)

    assert (image.filename, image.source_url) == ("red.png", url)


@requirement("images.fetch.open", "images.fetch.answer")
@pytest.mark.usefixtures("open_policy")
@pytest.mark.parametrize(
    "raw",
    [
        answer(png(), status="404 Not Found"),
        answer(png(), status="500 Oops"),
        answer(png(), status="300 Choices"),
        answer(png(), status="304 Not Modified"),
        answer(png(), status="302 Found", Location="/"),
        answer(png(), status="302 Found"),
        answer(png(), Content_Encoding="gzip"),
        answer(png(), Content_Length="1000"),
        answer(png()[:-20]),
        answer(b"<svg xmlns='http://www.w3.org/2000/svg'/>", Content_Type="image/png"),
        answer(b""),
        b"",
    ],
)
def test_what_is_no_image_in_a_good_answer_is_refused(serve: Serve, raw: bytes) -> None:
    server = serve(says(raw))

    assert refusal(f"http://127.0.0.1:{server.port}/red.png").details == []


@pytest.mark.parametrize(
    "url", ["", "red.png", "/red.png", "file:///etc/passwd", "http://a@b/", "http://[", "http://1/"]
)
def test_what_is_no_web_url_is_refused(url: str) -> None:
    assert refusal(url).details == []


@requirement("images.bytes.size")
@pytest.mark.parametrize(("surplus", "is_taken"), [(0, True), (1, False)])
def test_the_largest_image_is_the_one_of_the_settings(
    serve: Serve, settings: Settings, surplus: int, is_taken: bool
) -> None:
    limit = len(png()) - surplus
    settings.BLOG_ENGINE = blog_settings(image_fetch_policy="open", max_image_bytes=limit)
    server = serve(says(answer(png())))
    url = f"http://127.0.0.1:{server.port}/red.png"

    assert fetch_digests([url]) == ({url: sha256(png()).hexdigest()} if is_taken else {})


@requirement("images.fetch.open", "images.fetch.redirects")
@pytest.mark.usefixtures("open_policy")
@pytest.mark.parametrize(("redirects", "is_taken"), [(3, True), (4, False)])
def test_three_redirects_lead_to_an_image_and_four_to_none(serve: Serve, redirects: int, is_taken: bool) -> None:
    hops = {f"/{n}": answer(status="302 Found", Location=f"/{n - 1}") for n in range(1, 5)}
    server = serve(by_path({"/0": answer(png())} | hops))
    url = f"http://127.0.0.1:{server.port}/{redirects}"

    assert fetch_digests([url]) == ({url: sha256(png()).hexdigest()} if is_taken else {})


@requirement("images.bodies.limits", "images.fetch.deadline")
def test_an_image_has_ten_seconds_and_those_of_a_body_have_twenty_together() -> None:
    alone, together = (signature(fetching).parameters for fetching in (fetch_image, fetch_digests))

    assert alone["seconds"].default == together["seconds_each"].default == 10
    assert together["seconds"].default == 20


@requirement("images.fetch.deadline")
@pytest.mark.usefixtures("open_policy")
def test_an_image_that_comes_too_slowly_is_refused(serve: Serve) -> None:
    server = serve(drips(answer(png()), b"x"))
    start = monotonic()

    refused = refusal(f"http://127.0.0.1:{server.port}/red.png", seconds=0.3)

    assert (refused.details, monotonic() - start < 5) == ([], True)


@pytest.mark.usefixtures("open_policy")
def test_the_digests_of_a_body_are_those_that_could_be_fetched(serve: Serve) -> None:
    server = serve(
        by_path(
            {
                "/red.png": answer(png("red")),
                "/blue.png": answer(png("blue")),
                "/gone.png": answer(status="404 Not Found"),
                "/page": answer(b"<p>"),
            }
        )
    )
    base = f"http://127.0.0.1:{server.port}"
    urls = [f"{base}/red.png", f"{base}/gone.png", f"{base}/page", "/local.png", "http://[", "", f"{base}/blue.png"]

    digests = fetch_digests(url for url in [*urls, *urls])

    assert list(digests.items()) == [
        (f"{base}/red.png", sha256(png("red")).hexdigest()),
        (f"{base}/blue.png", sha256(png("blue")).hexdigest()),
    ]
    assert len(server.requests) == 4


def test_no_digest_comes_from_a_server_that_is_not_public(serve: Serve) -> None:
    server = serve(says(answer(png())))

    digests = fetch_digests([f"http://127.0.0.1:{server.port}/red.png", f"http://localhost:{server.port}/red.png"])

    assert (digests, server.hits()) == ({}, 0)


def test_a_body_without_images_has_no_digests() -> None:
    assert fetch_digests([]) == {}


@pytest.mark.usefixtures("open_policy", "trusted")
def test_a_url_without_a_scheme_is_fetched_by_https(serve: Serve, names: Names) -> None:
    names.lead("images.example", ["127.0.0.1"])
    server = serve(says(answer(png())), tls=server_context("images.example"))
    url = f"//images.example:{server.port}/red.png"

    assert fetch_digests([url]) == {url: sha256(png()).hexdigest()}


@requirement("images.bodies.limits")
@pytest.mark.usefixtures("open_policy")
def test_fifty_different_urls_are_fetched_in_the_order_of_the_body(serve: Serve) -> None:
    server = serve(says(answer(png())))
    urls = [f"http://127.0.0.1:{server.port}/{n}.png" for n in range(60)]

    digests = fetch_digests([*urls[:30], *urls])

    assert (list(digests), len(server.requests)) == (urls[:50], 50)


@requirement("images.bodies.limits")
@pytest.mark.usefixtures("open_policy")
def test_four_are_fetched_at_a_time(serve: Serve) -> None:
    four, lock, now, most = Barrier(4), Lock(), 0, 0

    def say(server: Server, connection: socket.socket, path: str) -> None:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        four.wait(10)
        server.over.wait(0.05)  # for a fifth one to come
        with lock:
            now -= 1
        connection.sendall(answer(png()))

    server = serve(say)
    urls = [f"http://127.0.0.1:{server.port}/{n}.png" for n in range(12)]

    digests = fetch_digests(urls)

    assert (list(digests), most) == (urls, 4)


@requirement("images.bodies.limits")
@pytest.mark.usefixtures("open_policy")
def test_all_images_of_a_body_share_their_time(serve: Serve) -> None:
    server = serve(is_silent)
    urls = [f"http://127.0.0.1:{server.port}/{n}.png" for n in range(50)]
    start = monotonic()

    digests = fetch_digests(urls, seconds=0.4)

    assert (digests, monotonic() - start < 5, server.hits()) == ({}, True, 4)


@pytest.mark.usefixtures("open_policy")
def test_one_slow_image_does_not_use_up_the_time_of_all(serve: Serve) -> None:
    slow, quick = serve(is_silent), serve(says(answer(png())))
    urls = [f"http://127.0.0.1:{slow.port}/{n}.png" for n in range(4)]
    url = f"http://127.0.0.1:{quick.port}/red.png"

    digests = fetch_digests([*urls, url], seconds=30, seconds_each=0.3)

    assert list(digests) == [url]


@requirement("images.fetch.discreet")
@pytest.mark.usefixtures("names")
def test_the_log_names_hosts_and_nothing_secret(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)

    fetch_digests(["https://user:secret@a.example/secret?secret#secret", "http://[secret", "//b.example/\nsecret"])

    assert ("a.example" in caplog.text, "b.example" in caplog.text, "secret" in caplog.text) == (True, True, False)
    assert len(caplog.records) == 3
