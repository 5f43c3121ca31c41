"""The pages to which forms led that were sent before."""

from blog_engine.models import SentForm


def where_form_led(key: str) -> str:
    """Return the path of the page that followed a form, or an empty text while it is unknown; one query."""
    return SentForm.objects.filter(key=key).values_list("leads_to", flat=True).first() or ""
