"""What can be done with redirects (service.md section 4.1)."""

from blog_engine import services
from blog_engine.actor import Call, Scope
from blog_engine.errors import NotFound, SlugReserved
from blog_engine.inputs.paging import Paged
from blog_engine.inputs.redirects import RedirectRef, SaveRedirect
from blog_engine.operations.base import operation
from blog_engine.outputs.redirects import RedirectList, SavedRedirect
from blog_engine.queries.findings import findings_of_redirect
from blog_engine.queries.paging import page_of
from blog_engine.queries.redirects import redirects


@operation(scope=Scope.READ)
def list_redirects(data: Paged, call: Call) -> RedirectList:
    """List the addresses that moved or were removed, the oldest first."""
    return RedirectList.of(page_of(redirects(), data))


@operation(scope=Scope.PUBLISH, refuses=[NotFound, SlugReserved])
def save_redirect(data: SaveRedirect, call: Call) -> SavedRedirect:
    """Record that an address moved or was removed; always a new record."""
    row = services.add_redirect(data, actor=call.actor, now=call.now)
    return SavedRedirect.of_write(row, findings_of_redirect(row))


@operation(scope=Scope.PUBLISH, refuses=[NotFound])
def delete_redirect(data: RedirectRef, call: Call) -> None:
    """Forget that an address moved or was removed."""
    services.delete_redirect(data, actor=call.actor)
