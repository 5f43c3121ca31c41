"""Operations that show how requests reach them and how answers leave."""

from typing import Any

from django.db import connection
from django.db.utils import OperationalError
from django.urls import include, path, re_path

from blog_engine.actor import Call, Scope
from blog_engine.api.schema import unknown_path
from blog_engine.api.serving import CREATED, EngineViewSet, ExtraAction, OperationAction
from blog_engine.api.viewsets import EngineRouter
from blog_engine.errors import PostIsPublic
from blog_engine.inputs.base import Input, NoInput
from blog_engine.inputs.types import BodyText, Omittable
from blog_engine.operations.base import operation
from blog_engine.outputs.base import Output

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
