"""Images in an object storage: moto's S3 server in this process, over real sockets."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any
from urllib.parse import parse_qs, urlsplit

import boto3
import httpx
import pytest
import time_machine
from django.conf import settings
from django.core.files.base import ContentFile
from django.test import Client, override_settings
from moto.server import ThreadedMotoServer
from PIL import Image as Picture

from blog_engine.errors import ImageNotPermitted, Unavailable
from blog_engine.images.files import image_storage, open_original
from blog_engine.images.inspect import inspect_image
from blog_engine.images.links import read_signed_file
from blog_engine.public import sign_stored_file
from blog_engine.services.images import find_leftovers, remove_leftover
from blog_engine.services.writing_images import writing_images
from tests.requirements import requirement
from tests.support.factories import NOW, store_image
from tests.support.hosts import blog_settings
from tests.support.images import encoded, halves, plain
from tests.support.tables import refused

BUCKET = "journal"
KEYS = {"aws_access_key_id": "key", "aws_secret_access_key": "secret", "region_name": "us-east-1"}

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    moto = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    moto.start()
    _, port = moto.get_host_and_port()
    # One storage for the whole module: boto needs half a second to open a session.
    with override_settings(STORAGES=settings.STORAGES | _storages(f"http://127.0.0.1:{port}")):
        yield f"http://127.0.0.1:{port}"
    moto.stop()


@pytest.fixture(scope="module")
def client_of_s3(server: str) -> Iterator[Any]:
    client = boto3.client("s3", endpoint_url=server, **KEYS)
    client.create_bucket(Bucket=BUCKET)
    yield client
    client.close()


@pytest.fixture(autouse=True)
def bucket(client_of_s3: Any) -> Iterator[Any]:
    """Use an empty bucket as the default storage."""
    yield client_of_s3
    for key in keys_in(client_of_s3):
        client_of_s3.delete_object(Bucket=BUCKET, Key=key)


def _storages(server: str) -> dict[str, Any]:
    options = {"access_key": "key", "secret_key": "secret", "region_name": "us-east-1", "location": "media"}
    options |= {"bucket_name": BUCKET, "endpoint_url": server, "querystring_expire": 600}
    changes: dict[str, dict[str, Any]] = {
        "default": {"signature_version": "s3v4"},
        "older": {"signature_version": "s3", "file_overwrite": False},
        "public": {"querystring_auth": False},
        "no bucket": {"bucket_name": "elsewhere"},
        "no server": {"endpoint_url": "http://127.0.0.1:1"},
    }
    backend = "storages.backends.s3.S3Storage"
    return {name: {"BACKEND": backend, "OPTIONS": options | changed} for name, changed in changes.items()}


def configured(**changes: Any) -> override_settings:
    """Run the block with these keys of ``BLOG_ENGINE``."""
    return override_settings(BLOG_ENGINE=blog_settings(**changes))


def keys_in(bucket: Any) -> list[str]:
    return [entry["Key"] for entry in bucket.list_objects_v2(Bucket=BUCKET).get("Contents", [])]


def seconds_kept(answer: Any) -> int:
    header = answer.headers["Cache-Control"]
    assert header.endswith(", public")
    return int(header.removeprefix("max-age=").removesuffix(", public"))


@pytest.mark.parametrize("storage", ["default", "older"])
def test_an_original_is_kept_once_with_its_type(bucket: Any, storage: str) -> None:
    with configured(storage=storage):
        image = store_image(plain("AVIF"))
        assert store_image(plain("AVIF")) == image

    key = f"media/blog_engine/images/{image.sha256[:2]}/{image.sha256}.avif"
    copy, note, original = keys_in(bucket)
    types = [bucket.head_object(Bucket=BUCKET, Key=one)["ContentType"] for one in (copy, note, original)]
    assert (original, types) == (key, ["image/jpeg", "text/plain", "image/avif"])
    with open_original(image) as file:
        assert file.read() == plain("AVIF")


def test_half_a_file_is_replaced_and_a_failed_write_undone(bucket: Any) -> None:
    image = inspect_image(plain(), filename="quay.png")
    name = f"blog_engine/images/{image.sha256[:2]}/{image.sha256}.png"
    image_storage().save(name, ContentFile(image.data[:20]))

    with writing_images() as files:
        files.write(image)
        assert bucket.get_object(Bucket=BUCKET, Key=f"media/{name}")["Body"].read() == image.data
    with pytest.raises(KeyboardInterrupt), writing_images() as files:
        files.write(inspect_image(plain(color="red"), filename="red.png"))
        raise KeyboardInterrupt

    assert keys_in(bucket) == [f"media/{name}"]


@pytest.mark.parametrize("storage", ["no bucket", "no server"])
def test_a_storage_out_of_reach_is_reported_and_nothing_is_stored(storage: str) -> None:
    with configured(storage=storage), refused(Unavailable, []):
        store_image()


@requirement("host.sign-stored-file")
def test_a_file_of_the_host_is_imported_by_its_reference() -> None:
    name = image_storage().save("uploads/quay.png", ContentFile(plain()))
    signed_id = sign_stored_file(name)

    assert read_signed_file(signed_id) == inspect_image(plain(), filename="quay.png")
    with configured(max_image_bytes=10), pytest.raises(ImageNotPermitted):
        read_signed_file(signed_id)
    with pytest.raises(ImageNotPermitted):
        read_signed_file(sign_stored_file("uploads/gone.png"))


@pytest.mark.parametrize("filename", ["quay.png", "w480.webp"])
def test_readers_are_sent_to_the_storage_and_get_the_file_there(client: Client, server: str, filename: str) -> None:
    image = store_image(encoded(halves(), "PNG"))

    answer = client.get(f"/blog/media/{image.sha256}/{filename}")

    url = answer.headers["Location"]
    assert (answer.status_code, seconds_kept(answer)) == (302, 540)
    assert url.startswith(f"{server}/{BUCKET}/media/blog_engine/images/{image.sha256[:2]}/{image.sha256}")
    fetched = httpx.get(url)
    assert fetched.headers["Content-Type"] == ("image/webp" if filename == "w480.webp" else "image/png")
    assert Picture.open(BytesIO(fetched.content)).size == ((480, 240) if filename == "w480.webp" else (600, 300))


@requirement("media.redirect")
@pytest.mark.parametrize("storage", ["default", "older"])
def test_a_redirect_ends_before_the_signed_url(client: Client, storage: str) -> None:
    with configured(storage=storage), time_machine.travel(NOW, tick=False):
        answer = client.get(f"/blog/media/{store_image().sha256}/quay.png")

    query = parse_qs(urlsplit(answer.headers["Location"]).query)
    ends_in = int(query["Expires"][0]) - NOW.timestamp() if storage == "older" else int(query["X-Amz-Expires"][0])
    assert 590 < ends_in <= 600
    assert 530 <= seconds_kept(answer) <= ends_in - 59


@requirement("media.redirect.lifetime")
def test_public_urls_are_kept_for_a_day(client: Client, server: str) -> None:
    with configured(storage="public"):
        image = store_image()
        answer = client.get(f"/blog/media/{image.sha256}/quay.png")

    url = f"{server}/{BUCKET}/media/blog_engine/images/{image.sha256[:2]}/{image.sha256}.png"
    assert (answer.headers["Location"], seconds_kept(answer)) == (url, 86_400)


@requirement("media.proxy")
@pytest.mark.parametrize("filename", ["quay.png", "w480.avif"])
def test_the_bytes_are_handed_on_by_proxy(client: Client, filename: str) -> None:
    image = store_image(encoded(halves(), "PNG"))
    url = f"/blog/media/{image.sha256}/{filename}"

    with configured(image_delivery="proxy"):
        whole = client.get(url)
        part = client.get(url, headers={"Range": "bytes=10-19"})
        head = client.head(url)
        data = whole.getvalue()

    assert (whole.status_code, part.status_code, head.status_code) == (200, 206, 200)
    assert Picture.open(BytesIO(data)).width == (480 if filename == "w480.avif" else 600)
    assert part.getvalue() == data[10:20]
    assert head.headers["Content-Length"] == whole.headers["Content-Length"] == str(len(data))


@pytest.mark.parametrize("delivery", ["redirect", "proxy"])
def test_a_variant_of_a_lost_original_is_not_found(client: Client, bucket: Any, delivery: str) -> None:
    image = store_image(encoded(halves(), "PNG"))
    for key in keys_in(bucket):
        bucket.delete_object(Bucket=BUCKET, Key=key)

    with configured(image_delivery=delivery):
        answer = client.get(f"/blog/media/{image.sha256}/w480.webp")

    assert (answer.status_code, answer.headers["Cache-Control"]) == (404, "max-age=0, private, must-revalidate")


@requirement("images.storage.leftovers")
def test_the_storage_is_cleaned_of_files_without_an_image(client: Client, bucket: Any) -> None:
    image = store_image(encoded(halves(), "PNG"))
    client.get(f"/blog/media/{image.sha256}/w480.webp")
    kept = keys_in(bucket)
    folder = f"media/blog_engine/images/{image.sha256[:2]}"
    orphans = [f"{folder}/{image.sha256[:2]}{'0' * 62}.png", f"media/blog_engine/images/ab/{'ab' * 32}-w480-avif.txt"]
    # Consoles make folders as keys of no bytes.
    strangers = ["media/blog_engine/images/", f"{folder}/", f"{folder}/notes.txt", "elsewhere/quay.png"]
    for key in (*orphans, *strangers):
        bucket.put_object(Bucket=BUCKET, Key=key, Body=b"")

    leftovers = list(find_leftovers())
    removed = [name for leftover in leftovers for name in remove_leftover(leftover).removed]

    assert [f"media/{name}" for name in sorted(removed)] == sorted(orphans)
    assert [leftover.names for leftover in leftovers if leftover.sha256 is None] == [
        [f"{folder}/notes.txt".removeprefix("media/")]
    ]
    assert sorted(keys_in(bucket)) == sorted([*kept, *strangers])


@pytest.mark.parametrize("storage", ["no bucket", "no server"])
@pytest.mark.heavy
def test_a_storage_out_of_reach_cannot_be_cleaned(storage: str) -> None:
    with configured(storage=storage), pytest.raises(Unavailable):
        list(find_leftovers())
