"""What can be done with redirects (service.md section 4.1)."""

from blog_engine import services
from blog_engine.actor import Call, Scope
from blog_engine.errors import NotFound, SlugReserved, ValidationFailed
from blog_engine.inputs.records import ListRedirects, RedirectRef, SaveRedirect, SaveRedirects
from blog_engine.operations.base import operation
from blog_engine.outputs.redirects import RedirectList, SavedRedirect, SavedRedirects
from blog_engine.queries.findings import findings_of_redirect
from blog_engine.queries.paging import page_of
from blog_engine.queries.redirects import redirects


@operation(scope=Scope.READ)
def list_redirects(data: ListRedirects, call: Call) -> RedirectList:
    """List the addresses that moved or were removed, the oldest first."""
    return RedirectList.of(page_of(redirects(old_path=data.old_path), data))


@operation(scope=Scope.PUBLISH, refuses=[NotFound, SlugReserved])
def save_redirect(data: SaveRedirects, call: Call) -> SavedRedirect | SavedRedirects:
    """Record that an address, or several, moved or were removed; an equal redirect is answered as it is."""
    own = data.model_fields_set - {"redirects"}
    if data.redirects is not None:
        if own:
            raise ValidationFailed(sorted(own), hint="Leave out what is beside redirects: each one has its own.")
        rows = services.add_redirects(data.redirects, actor=call.actor, now=call.now)
        return SavedRedirects(redirects=[SavedRedirect.of_write(row, findings_of_redirect(row)) for row in rows])
    if data.old_path is None:
        raise ValidationFailed(["old_path"], hint="Send old_path, or redirects with a list of redirects.")
    one = SaveRedirect.from_data(data.model_dump(mode="json", include=own))
    row = services.add_redirect(one, actor=call.actor, now=call.now)
    return SavedRedirect.of_write(row, findings_of_redirect(row))


@operation(scope=Scope.PUBLISH, refuses=[NotFound])
def delete_redirect(data: RedirectRef, call: Call) -> None:
    """Forget that an address moved or was removed."""
    services.delete_redirect(data, actor=call.actor)
