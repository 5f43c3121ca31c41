"""What can be done with authors (service.md section 4.1)."""

from blog_engine import services
from blog_engine.actor import Call, Scope
from blog_engine.addresses import Addresses
from blog_engine.errors import ImageNotPermitted, NotFound
from blog_engine.inputs.records import CreateAuthor, UpdateAuthor
from blog_engine.inputs.reports import Paged
from blog_engine.models import Author
from blog_engine.operations.base import operation
from blog_engine.outputs.authors import AuthorList, AuthorObject
from blog_engine.queries.authors import authors
from blog_engine.queries.paging import page_of
from blog_engine.queries.rows import row_of


@operation(scope=Scope.READ)
def list_authors(data: Paged, call: Call) -> AuthorList:
    """List the authors, the oldest first."""
    return AuthorList.of(page_of(authors(), data), Addresses.on(call.base_url))


@operation(scope=Scope.WRITE, refuses=[NotFound, ImageNotPermitted])
def create_author(data: CreateAuthor, call: Call) -> AuthorObject:
    """Make an author."""
    return _answer(services.create_author(data, actor=call.actor, now=call.now), call)


@operation(scope=Scope.WRITE, refuses=[NotFound, ImageNotPermitted])
def update_author(data: UpdateAuthor, call: Call) -> AuthorObject:
    """Edit an author; stored posts keep their bylines."""
    return _answer(services.update_author(data, actor=call.actor, now=call.now), call)


def _answer(author: Author, call: Call) -> AuthorObject:
    return AuthorObject.of(row_of(authors(), author.pk), Addresses.on(call.base_url))
