"""What a host's own code may call (decisions.md 1)."""

from django.utils.safestring import SafeString, mark_safe

from blog_engine.images.signed import sign_stored_file
from blog_engine.queries import policies
from blog_engine.queries.rendering import render_body
from blog_engine.vocabulary import BodyFormat, PolicyKind

__all__ = ["policy_url", "render_markdown", "sign_stored_file"]


def policy_url(kind: str) -> str | None:
    """The address of a policy: the configured one, else the published page's path, else ``None``.

    ``kind`` is ``responsible_party``, ``corrections``, ``editorial`` or ``ai_use``; another word gives ``None``.
    """
    return policies.policy_url(PolicyKind(kind)) if kind in set(PolicyKind) else None


def render_markdown(text: str) -> SafeString:
    """Markdown as safe HTML, by the renderer of the articles; wrap it in ``class="blog-prose"`` to have their looks.

    Renders on every call: keep the result where the text changes seldom.
    """
    rendered = render_body(text, BodyFormat.MARKDOWN, footnote_prefix="fn-")
    return mark_safe(rendered.html)  # noqa: S308 - the renderer's output went through its allow list
