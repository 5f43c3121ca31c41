"""An object storage that goes away and comes back: moto's S3 server, stopped and started again."""

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.config import Config
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from moto.server import ThreadedMotoServer
from pytest_django import Settings

from blog_engine.models import Image
from tests.requirements import requirement
from tests.support.clients import client_with, refusal_in
from tests.support.hosts import blog_settings
from tests.support.images import png
from tests.support.servers import free_port

pytestmark = pytest.mark.django_db(transaction=True)

API = "/blog/api/v1"
KEYS = {"aws_access_key_id": "key", "aws_secret_access_key": "secret", "region_name": "us-east-1"}


class Storage:
    """A server with a fixed port, whose content survives in this process."""

    def __init__(self) -> None:
        with free_port() as listener:
            self.port: int = listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._server: ThreadedMotoServer | None = None

    def start(self) -> None:
        self._server = ThreadedMotoServer(ip_address="127.0.0.1", port=self.port, verbose=False)
        self._server.start()

    def stop(self) -> None:
        if self._server is not None:
            self._server.stop()
            self._server = None


@pytest.fixture
def storage(settings: Settings) -> Iterator[Storage]:
    server = Storage()
    server.start()
    client = boto3.client("s3", endpoint_url=server.url, **KEYS)
    client.create_bucket(Bucket="faults")
    client.close()
    quick = Config(signature_version="s3v4", connect_timeout=1, read_timeout=5, retries={"max_attempts": 0})
    options = {"access_key": "key", "secret_key": "secret", "region_name": "us-east-1", "client_config": quick}
    options |= {"bucket_name": "faults", "endpoint_url": server.url, "querystring_expire": 600}
    settings.STORAGES = settings.STORAGES | {
        "default": {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options}
    }
    settings.BLOG_ENGINE = blog_settings(image_delivery="proxy")
    yield server
    server.stop()


def upload(editor: Client, colour: str) -> Any:
    return editor.post(f"{API}/images", {"file": SimpleUploadedFile("quay.png", png(colour), "image/png")})


@requirement("host.faults.disk", "images.storage.row-and-file")
def test_uploads_are_unavailable_while_the_storage_is_gone_and_pass_once_it_is_back(storage: Storage) -> None:
    editor = client_with("read", "write", "publish")
    image = upload(editor, "teal").json()

    storage.stop()
    response = upload(editor, "red")
    shown = Client().get(image["url"])
    article = editor.post(f"{API}/posts", {"title": "Frost", "publish": True}, content_type="application/json")

    assert refusal_in(response) == (503, "unavailable", [])
    assert [row.sha256 for row in Image.objects.all()] == [image["sha256"]]
    assert (shown.status_code, shown.headers["Retry-After"]) == (503, "5")
    assert article.status_code == 201
    assert Client().get("/blog/frost").status_code == 200
    storage.start()
    assert upload(editor, "red").status_code == 201
    again = Client().get(image["url"])
    assert (again.status_code, again.getvalue()) == (200, png("teal"))
