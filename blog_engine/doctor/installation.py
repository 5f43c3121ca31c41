"""Probes of settings, migrations, static files, authentication and schedule."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.storage import HashedFilesMixin, staticfiles_storage
from django.core.checks import ERROR, run_checks
from django.core.exceptions import ImproperlyConfigured
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

import blog_engine
from blog_engine.conf import SETTINGS_CHECKS, authenticate_hook, configuration_warnings, get_settings, settings_faults
from blog_engine.doctor.base import (
    ProbeContext,
    ProbeSkipped,
    Verdict,
    enumeration,
    require_tables,
    valid_settings,
    verdict,
)
from blog_engine.queries.database import (
    engine_connection,
    missing_tables,
    prepares_statements_behind_a_pooler,
)
from blog_engine.queries.deliveries import outbox_state
from blog_engine.queries.people import names_of_users
from blog_engine.queries.posts import scheduled_posts
from blog_engine.queries.tokens import count_active_tokens, names_of_active_tokens

_APP = "blog_engine"
_TO_DECLARE = {
    "primary_list_type": '"categories" or "tags", the lists that search engines index',
    "sign_in_destinations": "the paths that lead to a sign-in page, [] for none",
}
_NO_CALLERS = (
    "There is no active token and no authenticate hook, so no client can use the API or the agent endpoint. "
    "Create a token with create_blog_token."
)
_ANYONE_APPROVES = (
    'BLOG_ENGINE: require_approval is on, and approvals_by is not "people": a token with the scope publish approves '
    'its own text under any name. Set approvals_by to "people", and run render_posts.'
)
_OWN = Path(blog_engine.__file__).parent / "static"
_NO_APP = (
    "django.contrib.staticfiles is not installed. Add it to INSTALLED_APPS, or serve the folder blog_engine/static of "
    "the package under STATIC_URL yourself."
)
MOST_USERS_COMPARED = 10_000
"""The users whose names are compared with those of tokens, those who can open the desk first."""
OVERDUE_AFTER = timedelta(minutes=5)
"""The delay after which a scheduled post is reported."""
STUCK_AFTER = timedelta(hours=1)
"""The delay of a due event after which the outbox is reported."""


def probe_configuration(context: ProbeContext) -> Verdict:
    """Report faulty settings, warnings of the system checks, and names of the example.

    Faults that another probe reports are left to it. Silenced warnings stay silent, but errors do not.
    """
    found = run_checks(tags=[SETTINGS_CHECKS])
    errors = [f"{one.msg} {one.hint}" for one in found if one.level >= ERROR]
    warnings = [f"{one.msg} {one.hint}" for one in found if one.level < ERROR and not one.is_silenced()]
    if prepares_statements_behind_a_pooler():
        errors.append(
            "A pooler shares the connections to PostgreSQL between transactions, and prepared statements of one "
            "process are then run by another, or fail. Remove prepare_threshold from the OPTIONS of the database, or "
            "connect past the pooler."
        )
    if not settings_faults():
        settings = get_settings()
        examples = configuration_warnings(settings)
        warnings += [f"BLOG_ENGINE: {warning}. Write your own." for warning in examples]
        if settings.require_approval and settings.approvals_by != "people":
            warnings.append(_ANYONE_APPROVES)
    return verdict(errors=errors, warnings=warnings, ok="The settings have no faults.")


def probe_migrations(context: ProbeContext) -> Verdict:
    """Report unapplied and unknown migrations and missing tables."""
    connection = engine_connection()
    loader = MigrationLoader(connection)
    known = {name for app, name in loader.disk_migrations if app == _APP}
    applied = {name for app, name in MigrationRecorder(connection).applied_migrations() if app == _APP}
    errors, warnings = [], []
    if not known:
        errors.append("The migrations of blog_engine are switched off. Remove it from MIGRATION_MODULES.")
    waiting = sorted(known - applied)
    if waiting:
        errors.append(f"Not applied: {enumeration(waiting)}. Run migrate.")
    if missing := missing_tables():
        remedy = "" if waiting else " Restore them from a backup."
        errors.append(f"Missing tables: {enumeration(missing)}.{remedy}")
    if known and (newer := sorted(applied - known)):
        warnings.append(f"Applied, but unknown to this release: {enumeration(newer)}. Was blog_engine downgraded?")
    return verdict(errors=errors, warnings=warnings, ok=f"All {len(known)} migrations are applied.")


def probe_declarations(context: ProbeContext) -> Verdict:
    """Report the two settings that the host should not leave to their defaults."""
    written = valid_settings().model_fields_set
    undeclared = [
        f"{name} is not set. Declare it in BLOG_ENGINE ({choice})."
        for name, choice in _TO_DECLARE.items()
        if name not in written
    ]
    return verdict(warnings=undeclared, ok="primary_list_type and sign_in_destinations are declared.")


def probe_authentication(context: ProbeContext) -> Verdict:
    """Report an installation without ``authenticate`` hook and active token, and tokens that are named like users."""
    valid_settings()
    try:
        hook = authenticate_hook()
    except ImproperlyConfigured as fault:
        raise ProbeSkipped("the authenticate hook has a fault. See Configuration.") from fault
    if hook is not None:
        return verdict(ok="The host's authenticate hook decides who may call.")
    require_tables()
    number = count_active_tokens(now=context.now)
    warnings = [*([] if number else [_NO_CALLERS]), *_tokens_named_like_users(now=context.now)]
    return verdict(warnings=warnings, ok=f"Active tokens: {number}.")


def _tokens_named_like_users(*, now: datetime) -> Iterator[str]:
    names = names_of_users(names_of_active_tokens(now=now), most=MOST_USERS_COMPARED)
    if names:
        yield (
            f"Tokens with the name of a user: {enumeration(names)}. The history shows the same name for both. Create "
            "a token with the name of the program or agent, and revoke this one with revoke_blog_token."
        )


def probe_static_files(context: ProbeContext) -> Verdict:
    """Report static files without a URL, and files that were not collected."""
    if not settings.STATIC_URL:
        return verdict(errors=["STATIC_URL is not set, so pages have no styles."], ok="")
    if not apps.is_installed("django.contrib.staticfiles"):
        return verdict(warnings=[_NO_APP], ok="")
    names = sorted(str(path.relative_to(_OWN)) for path in _OWN.rglob("*") if path.is_file())
    unknown = [name for name in names if not _has_url(name)]
    errors = [f"Not in the manifest, so pages fail: {enumeration(unknown)}. Run collectstatic."] if unknown else []
    # With DEBUG the finders serve the files. A storage with a manifest was asked already.
    is_served_from_source = settings.DEBUG or isinstance(staticfiles_storage, HashedFilesMixin)
    absent = (
        [] if unknown or is_served_from_source else [name for name in names if not staticfiles_storage.exists(name)]
    )
    warnings = []
    if absent:
        warnings.append(
            f"Not in the storage of static files: {enumeration(absent)}. Run collectstatic, unless another server has "
            "these files."
        )
    return verdict(errors=errors, warnings=warnings, ok=f"All {len(names)} stylesheets and scripts are found.")


def _has_url(name: str) -> bool:
    try:
        return bool(staticfiles_storage.url(name))
    except ValueError:
        return False


def probe_schedule(context: ProbeContext) -> Verdict:
    """Report scheduled posts that are overdue, and events of the outbox that do not arrive."""
    require_tables()
    found = scheduled_posts(due_before=context.now - OVERDUE_AFTER)
    overdue = []
    if found.earliest_due is not None:
        overdue.append(
            f"{found.due} of {found.number} scheduled posts are overdue, the first since "
            f"{_in_utc(found.earliest_due)}. Run publish_due_posts every minute; it reports the posts that it cannot "
            "publish."
        )
    return verdict(
        warnings=[*overdue, *([] if settings_faults() else _late_events(now=context.now))],
        ok=f"Scheduled posts: {found.number}. None is overdue.",
    )


def _late_events(*, now: datetime) -> Iterator[str]:
    outbox = outbox_state(now=now)
    if outbox.dead:
        yield (
            f"Events that were given up: {outbox.dead}. See Deliveries at the desk; deliver_webhooks RETRY=dead sends "
            "them again."
        )
    if outbox.oldest_due is not None and outbox.oldest_due < now - STUCK_AFTER:
        yield (
            f"{outbox.waiting} events wait for webhooks, the first due since {_in_utc(outbox.oldest_due)}. Run "
            "deliver_webhooks every minute."
        )
    if outbox.without_receiver:
        yield (
            f"{outbox.without_receiver} events wait for a receiver that notify no longer has. Set it again, or let "
            "deliver_webhooks delete them after notify.kept_days."
        )


def _in_utc(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds")
