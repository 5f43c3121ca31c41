"""Any mount, a server that runs, and operations that show how requests reach them and how answers leave."""

from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any

import pytest
from django.db import connection
from django.db.utils import OperationalError
from django.test import Client, override_settings
from django.urls import clear_script_prefix, include, path, re_path, set_script_prefix
from pytest_django import Settings

from blog_engine.actor import Call, Scope
from blog_engine.api.schema import unknown_path
from blog_engine.api.serving import CREATED, EngineViewSet, ExtraAction, OperationAction
from blog_engine.api.viewsets import EngineRouter
from blog_engine.errors import PostIsPublic
from blog_engine.inputs.base import Input, NoInput
from blog_engine.inputs.types import BodyText, Omittable
from blog_engine.operations.base import operation
from blog_engine.outputs.base import Output
from tests.support.clients import client_with, make_secret
from tests.support.hosts import PLACES

BASE = "/journal/api/v1"


class Note(Input):
    text: Omittable[BodyText] = None
    count: Omittable[int] = None


class NoteAt(Note):
    id: str


class Said(Output):
    actor: str
    base_url: str
    input: dict[str, Any]
    in_transaction: bool


def said(data: Input, call: Call) -> Said:
    return Said(
        actor=call.actor.name,
        base_url=call.base_url,
        input={name: getattr(data, name) for name in sorted(data.model_fields_set)},
        in_transaction=connection.in_atomic_block,
    )


@operation(scope=Scope.READ)
def list_notes(data: Note, call: Call) -> Said:
    """Answer what was sent."""
    return said(data, call)


@operation(scope=None)
def save_note(data: Note, call: Call) -> Said:
    """Answer what was sent, then ask for the scope."""
    call.actor.require(Scope.WRITE)
    return said(data, call)


@operation(scope=Scope.READ)
def get_note(data: NoteAt, call: Call) -> Said:
    """Answer what was sent."""
    return said(data, call)


@operation(scope=Scope.PUBLISH)
def remove_note(data: NoteAt, call: Call) -> Said | None:
    """Answer nothing."""
    return None


@operation(scope=Scope.WRITE)
def seal_note(data: NoteAt, call: Call) -> Said:
    """Refuse."""
    raise PostIsPublic


@operation(scope=Scope.READ)
def break_note(data: NoteAt, call: Call) -> Said:
    """Have a bug."""
    raise KeyError(data.id)


@operation(scope=Scope.READ)
def lose_database(data: NoteAt, call: Call) -> Said:
    """Find the database gone."""
    raise OperationalError


@operation(scope=Scope.READ)
def say_nothing(data: NoInput, call: Call) -> Said:
    """Accept no field."""
    return said(data, call)


class NoteViewSet(EngineViewSet):
    list = OperationAction(list_notes)
    create = OperationAction(save_note, success=CREATED)
    retrieve = OperationAction(get_note)
    destroy = OperationAction(remove_note)
    seal = ExtraAction(seal_note, method="post")
    broken = ExtraAction(break_note, method="get")
    gone = ExtraAction(lose_database, method="get")


class BareViewSet(EngineViewSet):
    list = OperationAction(say_nothing)


router = EngineRouter()
router.serve("notes", NoteViewSet)
router.serve("bare", BareViewSet)

urlpatterns = [
    path("journal/api/v1/", include(router.urls)),
    re_path("^journal/api/", unknown_path),
    re_path("^journal/api$", unknown_path),
]


@pytest.fixture(params=["journal", "root", "proxy"])
def place(request: pytest.FixtureRequest) -> Iterator[tuple[str, str]]:
    """The path that Django sees, and what the server has stripped before it."""
    urlconf, mount, script_name = PLACES[request.param]
    # Django's test client does not do this, other than its WSGI handler.
    set_script_prefix(f"{script_name}/")
    with override_settings(ROOT_URLCONF=urlconf):
        yield mount, script_name
    clear_script_prefix()


@pytest.fixture
def editor(db: None) -> Client:
    """A client of the API with all scopes."""
    return client_with("read", "write", "publish")


@pytest.fixture
def reader(db: None) -> Client:
    """A client of the API that can read."""
    return client_with("read")


@pytest.fixture
def writer(db: None) -> Client:
    """A client of the API that can write, and not read."""
    return client_with("write")


@pytest.fixture
def plumbing(settings: Settings) -> None:
    """Serve the operations of this module instead of the blog."""
    settings.ROOT_URLCONF = __name__


@pytest.fixture
def headers(db: None) -> dict[str, str]:
    """The headers of a request in JSON with a token for everything."""
    return {"Authorization": f"Bearer {make_secret()}", "Content-Type": "application/json"}


@pytest.fixture
def server(live_server: Any, settings: Settings) -> Iterator[HTTPConnection]:
    """A connection to a server that runs, for what a test client cannot send."""
    # The threads of the server would leave sockets to Redis behind.
    settings.RATELIMIT_USE_CACHE = "memory"
    connection = HTTPConnection(live_server.thread.host, live_server.thread.port, timeout=20)
    yield connection
    connection.close()
