"""Scopes in the words that people read where they give them to an agent."""

from typing import Final

from django.utils.translation import gettext_lazy

from blog_engine.actor import Scope

SCOPE_WORDS: Final = {
    Scope.READ: gettext_lazy("Read posts in any state, and records"),
    Scope.WRITE: gettext_lazy("Write drafts and records, and upload images"),
    Scope.PUBLISH: gettext_lazy("Publish, change and withdraw what readers see"),
}
