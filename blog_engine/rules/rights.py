"""The requests to machines that use the content: the setting ``rights`` as fields of HTTP and ``robots.txt``."""

from collections.abc import Mapping

from blog_engine.conf import get_settings
from blog_engine.conf.load import kept_until_settings_change


@kept_until_settings_change
def usage_fields() -> Mapping[str, str]:
    """Return the fields that say how the content may be used, by name; none that says nothing.

    ``Content-Usage`` is of the IETF's working group AIPREF (draft-ietf-aipref-attach: a dictionary of tokens, RFC
    9651), ``Content-Signal`` of Cloudflare. Only the second has a word for answers that are made from the content.
    """
    rights = get_settings().rights
    usage = {"search": rights.search, "train-ai": rights.ai_train}
    signals = {"search": rights.search, "ai-input": rights.ai_input, "ai-train": rights.ai_train}
    fields = {
        "Content-Usage": ", ".join(f"{name}={'y' if may else 'n'}" for name, may in usage.items() if may is not None),
        "Content-Signal": ", ".join(
            f"{name}={'yes' if may else 'no'}" for name, may in signals.items() if may is not None
        ),
    }
    return {name: value for name, value in fields.items() if value}
