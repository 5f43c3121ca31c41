"""Probes of settings, migrations, static files, authentication and schedule."""

from datetime import UTC, timedelta
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.storage import HashedFilesMixin, staticfiles_storage
from django.core.checks import ERROR, CheckMessage, run_checks
from django.core.exceptions import ImproperlyConfigured
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

import blog_engine
from blog_engine.conf import SETTINGS_CHECKS, authenticate_hook, configuration_warnings, get_settings, settings_faults
from blog_engine.doctor.base import CannotRun, Verdict, Visit, listed, require_tables, sound_settings, verdict
from blog_engine.queries.database import engine_connection, missing_tables
from blog_engine.queries.posts import scheduled_posts
from blog_engine.queries.tokens import count_active_tokens


def probe_configuration(visit: Visit) -> Verdict:
    """The settings have no fault, fit the host, and are no longer those of the example.

    What another check of the doctor reports is left to it. Warnings that the host silenced stay silent; an error
    breaks the engine all the same.
    """
    found = run_checks(tags=[SETTINGS_CHECKS])
    errors = [message for message in found if message.level >= ERROR]
    warnings = [message for message in found if message.level < ERROR and not message.is_silenced()]
    return verdict(
        errors=_sentences(errors),
        warnings=[*_sentences(warnings), *_placeholders()],
        well="The settings have no faults.",
    )


def _sentences(messages: list[CheckMessage]) -> list[str]:
    return [f"{message.msg} {message.hint}" for message in messages]


def _placeholders() -> list[str]:
    if settings_faults():
        return []
    return [f"BLOG_ENGINE: {warning}: write your own." for warning in configuration_warnings(get_settings())]


_APP = "blog_engine"


def probe_migrations(visit: Visit) -> Verdict:
    """Every migration is applied, none is unknown, and every table is there."""
    connection = engine_connection()
    loader = MigrationLoader(connection)
    known = {name for app, name in loader.disk_migrations if app == _APP}
    applied = {name for app, name in MigrationRecorder(connection).applied_migrations() if app == _APP}
    errors, warnings = [], []
    if not known:
        errors.append("The migrations of blog_engine are switched off: remove it from MIGRATION_MODULES.")
    waiting = sorted(known - applied)
    if waiting:
        errors.append(f"Not applied: {listed(waiting)}. Run migrate.")
    if missing := missing_tables():
        remedy = "" if waiting else " Restore them from a backup."
        errors.append(f"Missing tables: {listed(missing)}.{remedy}")
    if known and (newer := sorted(applied - known)):
        warnings.append(f"Applied, but not of this release: {listed(newer)}. Was blog_engine downgraded?")
    return verdict(errors=errors, warnings=warnings, well=f"All {len(known)} migrations are applied.")


_TO_DECLARE = {
    "primary_list_type": '"categories" or "tags", the lists that search engines index',
    "sign_in_destinations": "the paths that lead to a sign-in page, [] for none",
}


def probe_declarations(visit: Visit) -> Verdict:
    """The two settings whose defaults are a guess were written by the host."""
    written = sound_settings().model_fields_set
    guessed = [
        f"{name} is not set: decide it in BLOG_ENGINE ({choice})."
        for name, choice in _TO_DECLARE.items()
        if name not in written
    ]
    return verdict(warnings=guessed, well="primary_list_type and sign_in_destinations are declared.")


_NOBODY = (
    "No active token and no authenticate hook: nobody can use the API or the agent endpoint. "
    "Make a token with create_blog_token."
)


def probe_authentication(visit: Visit) -> Verdict:
    """The host has a hook, or there is a token that is neither revoked nor expired."""
    sound_settings()
    if _has_hook():
        return verdict(well="The host's authenticate hook decides who may call.")
    require_tables()
    number = count_active_tokens(now=visit.now)
    return verdict(warnings=[] if number else [_NOBODY], well=f"Active tokens: {number}.")


def _has_hook() -> bool:
    try:
        return authenticate_hook() is not None
    except ImproperlyConfigured as fault:
        raise CannotRun("the authenticate hook has a fault. See Configuration.") from fault


_OWN = Path(blog_engine.__file__).parent / "static"
_NO_APP = (
    "django.contrib.staticfiles is not installed: serve the folder blog_engine/static of the package under STATIC_URL "
    "yourself, or add the app to INSTALLED_APPS."
)


def probe_static_files(visit: Visit) -> Verdict:
    """Every file has an address, and is where the storage serves it from."""
    if not settings.STATIC_URL:
        return verdict(errors=["STATIC_URL is not set: pages have no styles."], well="")
    if not apps.is_installed("django.contrib.staticfiles"):
        return verdict(warnings=[_NO_APP], well="")
    names = sorted(str(path.relative_to(_OWN)) for path in _OWN.rglob("*") if path.is_file())
    unknown = [name for name in names if not _has_address(name)]
    errors = [f"Not in the manifest, so that pages fail: {listed(unknown)}. Run collectstatic."] if unknown else []
    absent = [] if unknown or _is_served_from_source() else [name for name in names if not _is_collected(name)]
    warnings = (
        [f"Not in the storage of static files: {listed(absent)}. Run collectstatic, unless another server has them."]
        if absent
        else []
    )
    return verdict(errors=errors, warnings=warnings, well=f"All {len(names)} stylesheets and scripts are found.")


def _has_address(name: str) -> bool:
    try:
        return bool(staticfiles_storage.url(name))
    except ValueError:
        return False


def _is_served_from_source() -> bool:
    # With DEBUG the files come from the finders, and a manifest has been asked already.
    return settings.DEBUG or isinstance(staticfiles_storage, HashedFilesMixin)


def _is_collected(name: str) -> bool:
    return staticfiles_storage.exists(name)


GRACE = timedelta(minutes=5)
"""How late a release may be before it is worth a warning."""


def probe_schedule(visit: Visit) -> Verdict:
    """No scheduled post waits for longer than the grace."""
    require_tables()
    found = scheduled_posts(due_before=visit.now - GRACE)
    if found.earliest_due is None:
        return verdict(well=f"Scheduled posts: {found.number}. None is overdue.")
    since = found.earliest_due.astimezone(UTC).isoformat(timespec="seconds")
    overdue = (
        f"{found.due} of {found.number} scheduled posts are overdue, the first since {since}. Run publish_due_posts "
        "every minute; it reports the posts that it may not release."
    )
    return verdict(warnings=[overdue], well="")
