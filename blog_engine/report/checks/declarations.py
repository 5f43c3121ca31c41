"""What only the host can know was really decided (records.md 15, Declarations)."""

from blog_engine.report.base import Verdict, Visit, sound_settings, verdict

_TO_DECLARE = {
    "primary_list_type": '"categories" or "tags", the lists that search engines index',
    "sign_in_destinations": "the paths that lead to a sign-in page, [] for none",
}


def check_declarations(visit: Visit) -> Verdict:
    """The two settings whose defaults are a guess were written by the host."""
    written = sound_settings().model_fields_set
    guessed = [
        f"{name} is not set: decide it in BLOG_ENGINE ({choice})."
        for name, choice in _TO_DECLARE.items()
        if name not in written
    ]
    return verdict(warnings=guessed, well="primary_list_type and sign_in_destinations are declared.")
