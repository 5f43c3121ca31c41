"""Bringing the stored renderings of policy pages up to date."""

from blog_engine.models import PolicyPage
from blog_engine.queries.pages import render_page
from blog_engine.queries.rendering import rendering_key
from blog_engine.services._transaction import write_transaction


def render_pages() -> int:
    """Render again the policy pages whose rendering is out of date; gives their number."""
    with write_transaction():
        stale = list(PolicyPage.objects.select_for_update(no_key=True).exclude(rendered_with=rendering_key()))
        for page in stale:
            page.body_html, page.rendered_with = render_page(page), rendering_key()
            page.save(update_fields=["body_html", "rendered_with"])
        return len(stale)
