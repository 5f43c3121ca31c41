"""What readers must be told about how an article was made (reader.md 4.3)."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from blog_engine.models import ConnectionDeclaration
from blog_engine.vocabulary import Label

PAID = _("A third party paid for this article.")

_ABOUT_AI: dict[Label, str | Promise] = {
    Label.AI_ASSISTED: _("AI helped to make this article."),
    Label.AI_UNKNOWN: _("It is not known whether AI helped to make this article."),
}


def ai_notice(label: Label) -> str | None:
    """The sentence that a label asks for, in the active language."""
    sentence = _ABOUT_AI.get(label)
    return str(sentence) if sentence else None


def paid_notice(declaration: ConnectionDeclaration | None) -> str | None:
    """The sentence for an article that the latest declaration calls paid."""
    return str(PAID) if declaration and declaration.third_party_paid else None
