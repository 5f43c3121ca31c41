"""Forgetting that an address moved or was removed."""

from blog_engine.actor import Actor, Scope
from blog_engine.errors import NotFound
from blog_engine.inputs.redirects import RedirectRef
from blog_engine.models import Redirect
from blog_engine.services._transaction import lock_redirects, write_transaction


def delete_redirect(data: RedirectRef, *, actor: Actor) -> None:
    """Delete the row, whatever made it: its address is unknown from now on (404) and free for a new post.

    Raises ``ScopeRequired`` or ``NotFound``.
    """
    actor.require(Scope.PUBLISH)
    with write_transaction():
        lock_redirects()
        deleted, _ = Redirect.objects.filter(pk=data.id).delete()
        if not deleted:
            raise NotFound(hint="No redirect has that id: list the redirects to find it.")
