"""``reference/checks.md``: every system check, from ``blog_engine.checks``."""

from blog_engine.checks import RULES
from reference_pages import page, table

_INTRO = """\
# System checks

`manage.py check` (also run by `runserver` and `migrate`) reports mistakes in an installation before the first request
does. Ids with `E` are errors and stop the command; ids with `W` are warnings. Every message about a setting names its
dotted key, and its hint suggests the nearest valid name after a typo. `blog_doctor` runs the same checks.

Run only these checks with `manage.py check --tag blog_engine`. Silence a warning that you have considered with Django's
`SILENCED_SYSTEM_CHECKS = ["blog_engine.W002"]`.
"""


def write() -> str:
    """Return the page: one table."""
    rows = [[f"`{rule.id}`", rule.finds, rule.hint] for rule in RULES]
    return page(_INTRO, table(["Id", "Finds", "What to do"], rows), source="blog_engine/checks.py")
