"""Bringing the stored renderings of policy pages up to date."""

from blog_engine.models import PolicyPage
from blog_engine.queries.rendering import rendering_key
from blog_engine.services._bodies import Bodies
from blog_engine.services._transaction import write_transaction
from blog_engine.services.save_page import take_page_rendering


def render_pages() -> int:
    """Render again the policy pages whose rendering is out of date, each in its own transaction; gives their number."""
    stale = PolicyPage.objects.exclude(rendered_with=rendering_key()).order_by("pk").values_list("pk", flat=True)
    return sum(_render(page_id) for page_id in list(stale))


def _render(page_id: int) -> bool:
    """Render one page, unless it was deleted in between."""
    bodies = Bodies()

    def write() -> bool:
        with write_transaction():
            page = PolicyPage.objects.select_for_update(no_key=True).filter(pk=page_id).first()
            if page is None:
                return False
            take_page_rendering(page, bodies=bodies)
            page.save(update_fields=["body_html", "rendered_with"])
            return True

    return bodies.around(write)
