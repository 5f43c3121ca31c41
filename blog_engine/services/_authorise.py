"""The scope that depends on the state of the locked post (service.md section 3, decisions.md 9.5)."""

from blog_engine.actor import Actor, Scope
from blog_engine.services._edit import Edit
from blog_engine.vocabulary import PostStatus

_NEED_PUBLISH = (PostStatus.SCHEDULED, PostStatus.PUBLISHED)


def require_edit_scope(edit: Edit, actor: Actor) -> None:
    """Raise ``ScopeRequired``: ``publish`` for scheduled and public posts and for an approval, else ``write``."""
    actor.require(Scope.PUBLISH if edit.before.status in _NEED_PUBLISH else Scope.WRITE)
    if edit.approval is not None:
        actor.require(Scope.PUBLISH)
