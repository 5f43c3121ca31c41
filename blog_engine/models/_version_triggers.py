"""The triggers that change the content version, one kind for each table that pages show.

On PostgreSQL they fire once, at the end of the transaction, so that writers wait for each other only while they commit.
On SQLite, where only one transaction can write, they fire for each row.
"""

from typing import Final

from django.apps.registry import Apps
from django.db.models import Model

from blog_engine.models._guard import APP, Guard

VERSION_MODEL: Final = "ContentVersion"
_SHOWN_MODELS: Final = (
    "Post",
    "Faq",
    "Author",
    "Category",
    "Series",
    "Tag",
    "PostTag",
    "Image",
    "PolicyPage",
    "Redirect",
    "ListCount",
    "Revision",
    "Publication",
    "Approval",
    "ConnectionDeclaration",
    "Baseline",
)
_SUFFIX: Final = "content_version"
_EVENTS: Final = ("INSERT", "UPDATE", "DELETE")


def shown_models(registry: Apps) -> list[type[Model]]:
    """Return the models whose tables pages show; none in the state of a migration before the content version."""
    known = {model.__name__: model for model in registry.get_models() if model._meta.app_label == APP}
    return [known[name] for name in _SHOWN_MODELS if name in known] if VERSION_MODEL in known else []


def sqlite_version_triggers(table: str, registry: Apps) -> list[Guard]:
    """Return the triggers of a table, as ``sqlite_master`` shows them."""
    return [
        Guard(
            name=(name := f"{table}_{_SUFFIX}_{event.lower()}"),
            table=table,
            create=f'CREATE TRIGGER "{name}" AFTER {event} ON "{table}" BEGIN {new_sqlite_version(registry)}; END',
        )
        for event in _EVENTS
    ]


def new_sqlite_version(registry: Apps) -> str:
    """Return the statement that changes the version."""
    table = _version_table(registry)
    return (
        f'INSERT INTO "{table}" ("id", "version") VALUES (1, lower(hex(randomblob(16)))) '  # noqa: S608
        'ON CONFLICT ("id") DO UPDATE SET "version" = excluded."version"'
    )


def postgresql_version_triggers(table: str, registry: Apps, *, schema: str) -> list[Guard]:
    """Return the trigger of a table, as ``pg_get_triggerdef`` and ``pg_get_functiondef`` show it.

    ``schema`` is that of the table, quoted where PostgreSQL quotes it.
    """
    name = f"{table}_{_SUFFIX}"
    qualified, function = f"{schema}.{table}", f"{schema}.{name}"
    return [
        Guard(
            name=name,
            table=qualified,
            create=f"CREATE CONSTRAINT TRIGGER {name} AFTER INSERT OR DELETE OR UPDATE ON {qualified} "
            f"DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION {function}()",
            function=function,
            definition=_definition(function, new_postgresql_version(registry, schema="%I")),
        )
    ]


def new_postgresql_version(registry: Apps, *, schema: str) -> str:
    """Return the statement that changes the version."""
    return (
        f"INSERT INTO {schema}.{_version_table(registry)} AS stored (id, version) VALUES (1, gen_random_uuid()) "  # noqa: S608
        "ON CONFLICT (id) DO UPDATE SET version = excluded.version"
    )


def _definition(function: str, statement: str) -> str:
    # The setting lasts until the end of the transaction, and is undone with the savepoint that the write is in.
    return f"""CREATE OR REPLACE FUNCTION {function}()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE done text := pg_current_xact_id()::text || ' ' || TG_TABLE_SCHEMA;
BEGIN
  IF current_setting('blog_engine.{_SUFFIX}', true) IS DISTINCT FROM done THEN
    EXECUTE format('{statement}', TG_TABLE_SCHEMA);
    PERFORM set_config('blog_engine.{_SUFFIX}', done, true);
  END IF;
  RETURN NULL;
END
$function$
"""


def _version_table(registry: Apps) -> str:
    return str(registry.get_model(APP, VERSION_MODEL)._meta.db_table)
