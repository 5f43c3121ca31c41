"""The database has the tables of this release."""

from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from blog_engine.queries.database import engine_connection, missing_tables
from blog_engine.report.base import Verdict, Visit, listed, verdict

_APP = "blog_engine"


def check_migrations(visit: Visit) -> Verdict:
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
