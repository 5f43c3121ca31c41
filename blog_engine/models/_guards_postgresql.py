"""The triggers of PostgreSQL; each calls its own function of the same name.

The functions find tables in the schema of the guarded table, and everything else in ``pg_catalog``: a table, function
or operator in another schema, or a temporary one, cannot take the place of what they read and call.
"""

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model

from blog_engine.enums import ApprovalKind, EntryType
from blog_engine.models._guard import WITHDRAWN_FROM, Guard, GuardedTable, describe_table

# tgenabled: O fires in ordinary sessions, A in all; D is switched off, R fires only in a replica.
# The function gets its schema here: pg_get_triggerdef leaves it out while the search path finds the function.
_STORED = """
    SELECT tgname, format('%I.%I', of_table.nspname, relname), format('%I.%I', of_function.nspname, proname),
        pg_get_functiondef(pg_proc.oid),
        regexp_replace(
            pg_get_triggerdef(pg_trigger.oid), 'EXECUTE FUNCTION [^(]*',
            format('EXECUTE FUNCTION %I.%I', of_function.nspname, proname)
        ) || CASE WHEN tgenabled IN ('O', 'A') THEN '' ELSE ' (disabled)' END
    FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
        JOIN pg_namespace of_table ON of_table.oid = relnamespace
        JOIN pg_namespace of_function ON of_function.oid = pronamespace
    WHERE NOT tgisinternal AND tgname ^@ 'blog_engine_' AND pg_table_is_visible(tgrelid)
"""

# A table that does not exist yet (sqlmigrate) will be in the current schema.
_SCHEMA = """
    SELECT quote_ident(coalesce(
        (SELECT nspname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
            WHERE pg_class.oid = to_regclass(%s)),
        current_schema()
    ))
"""


def postgresql_guards(model: type[Model], connection: BaseDatabaseWrapper) -> list[Guard]:
    """Return the triggers of a table, as ``pg_get_triggerdef`` and ``pg_get_functiondef`` show them."""
    table = describe_table(model, schema=schema_of(model, connection))
    guards = []
    if table.is_history:
        guards += [_no_update(table), _no_delete(table)]
    guards += [_same_post(table, column) for column in table.revision_columns]
    if table.is_revision:
        guards.append(_not_claimed(table))
    if table.is_baseline:
        guards.append(_comes_first(table))
    if table.is_permit:
        guards.append(_only_adopted(table))
    return guards


def stored_postgresql_guards(connection: BaseDatabaseWrapper) -> list[Guard]:
    """Return the triggers that the database has; the text of a disabled one says so."""
    with connection.cursor() as cursor:
        cursor.execute(_STORED)
        return [
            Guard(name=name, table=table, create=create, function=function, definition=definition)
            for name, table, function, definition, create in cursor.fetchall()
        ]


def schema_of(model: type[Model], connection: BaseDatabaseWrapper) -> str:
    """Return the schema of the model's table, quoted where PostgreSQL quotes it."""
    with connection.cursor() as cursor:
        cursor.execute(_SCHEMA, [model._meta.db_table])
        return str(cursor.fetchone()[0])


def _no_update(table: GuardedTable) -> Guard:
    columns = ", ".join(table.fixed_columns)
    event = f"BEFORE UPDATE OF {columns}" if columns else "BEFORE UPDATE"
    return _guard(table, "no_update", event, refusal="a row of the history cannot be changed")


def _no_delete(table: GuardedTable) -> Guard:
    refusal = "a row of the history cannot be deleted"
    if table.is_discardable:
        recorded = f"EXISTS (SELECT 1 FROM %1$I.{table.revision_table} WHERE post_id = $1)"
        ask = _look_up(recorded, f"OLD.{table.post_column}")
        return _guard(table, "no_delete", "BEFORE DELETE", ask=ask, when="met", answer="OLD", refusal=refusal)
    if table.is_image:
        named = " OR ".join(
            f"EXISTS (SELECT 1 FROM %1$I.{name} WHERE strpos({column}::text, $1) > 0)"
            for name, column in table.naming_columns
        )
        ask = _look_up(named, "OLD.sha256")
        return _guard(table, "no_delete", "BEFORE DELETE", ask=ask, when="met", answer="OLD", refusal=refusal)
    if not table.is_replaceable:
        return _guard(table, "no_delete", "BEFORE DELETE", refusal=refusal)
    # A permit may be older than what follows the adoption, so this is asked again for each row.
    permitted = f"EXISTS (SELECT 1 FROM %1$I.{table.permit_table} WHERE post_id = $1)"
    ask = _look_up(f"{permitted} AND NOT ({_followed(table)})", f"OLD.{table.post_column}, {_FOLLOWING}")
    return _guard(table, "no_delete", "BEFORE DELETE", ask=ask, when="NOT met", answer="OLD", refusal=refusal)


def _same_post(table: GuardedTable, column: str) -> Guard:
    # A history row comes after its revision. A post may come before it, as when a dump is loaded: see _not_claimed.
    refusal = f"{column} is a revision of another post"
    revision = f"SELECT 1 FROM %1$I.{table.revision_table} WHERE id = $1 AND post_id"
    values = f"NEW.{column}, NEW.{table.post_column}"
    if table.is_history:
        ask = _look_up(f"EXISTS ({revision} = $2)", values)
        return _guard(table, f"{column}_own", "BEFORE INSERT", ask=ask, when="NOT met", refusal=refusal)
    changed = f"NEW.{column} IS NOT NULL AND (TG_OP = 'INSERT' OR NEW.{column} IS DISTINCT FROM OLD.{column})"
    ask = _look_up(f"EXISTS ({revision} <> $2)", values)
    # AFTER, because a trigger BEFORE an update makes PostgreSQL compute the search column each time.
    event = f"AFTER INSERT OR UPDATE OF {column}"
    return _guard(table, f"{column}_own", event, ask=f"IF {changed} THEN {ask} END IF;", when="met", refusal=refusal)


def _not_claimed(table: GuardedTable) -> Guard:
    claim = f"EXISTS (SELECT 1 FROM %1$I.{table.post_table} WHERE public_revision_id = $1 AND id <> $2)"
    ask = _look_up(claim, f"NEW.id, NEW.{table.post_column}")
    refusal = "another post calls this revision its public one"
    return _guard(table, "not_claimed", "BEFORE INSERT", ask=ask, when="met", refusal=refusal)


def _comes_first(table: GuardedTable) -> Guard:
    # Without this, a baseline could turn any reviewed draft into an adoption, whose records a permit can delete.
    records = " OR ".join(
        f"EXISTS (SELECT 1 FROM %1$I.{records} WHERE post_id = $1)"
        for records in (table.approval_table, table.publication_table)
    )
    ask = _look_up(records, f"NEW.{table.post_column}")
    refusal = "a baseline comes before the approvals and publications of its post"
    return _guard(table, "comes_first", "BEFORE INSERT", ask=ask, when="met", refusal=refusal)


_FOLLOWING = ", ".join(f"'{value.value}'" for value in (ApprovalKind.SENT, EntryType.ADOPTED, *WITHDRAWN_FROM))
"""The values of ``_followed`` from the second on."""


def _followed(table: GuardedTable) -> str:
    """Return the SQL for whether anything of this blog followed the adoption of the post ``$1``.

    Declarations are not asked for: no permit deletes one, and an adoption records its own.
    """
    later = {
        table.approval_table: "kind = $2",
        table.publication_table: "entry_type <> $3",
        table.status_table: "from_status IN ($4, $5)",
        table.proposal_table: "true",
    }
    return " OR ".join(
        f"EXISTS (SELECT 1 FROM %1$I.{name} WHERE post_id = $1 AND {is_later})"
        for name, is_later in later.items()
        if name
    )


def _only_adopted(table: GuardedTable) -> Guard:
    adopted = f"EXISTS (SELECT 1 FROM %1$I.{table.baseline_table} WHERE post_id = $1)"
    ask = _look_up(f"{adopted} AND NOT ({_followed(table)})", f"NEW.{table.post_column}, {_FOLLOWING}")
    refusal = "only an adoption that nothing followed can be replaced"
    return _guard(table, "only_adopted", "BEFORE INSERT OR UPDATE", ask=ask, when="NOT met", refusal=refusal)


def _look_up(condition: str, values: str) -> str:
    return f"EXECUTE format('SELECT {condition}', TG_TABLE_SCHEMA) INTO met USING {values};"


def _guard(
    table: GuardedTable,
    suffix: str,
    event: str,
    *,
    refusal: str,
    ask: str = "",
    when: str = "true",
    answer: str = "NEW",
) -> Guard:
    name = f"{table.name}_{suffix}"
    qualified, function = f"{table.schema}.{table.name}", f"{table.schema}.{name}"
    return Guard(
        name=name,
        table=qualified,
        create=f"CREATE TRIGGER {name} {event} ON {qualified} FOR EACH ROW EXECUTE FUNCTION {function}()",
        function=function,
        definition=f"""CREATE OR REPLACE FUNCTION {function}()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE met boolean := false;
BEGIN
  {ask}
  IF {when} THEN
    RAISE EXCEPTION USING ERRCODE = 'restrict_violation', MESSAGE = '{table.name}: {refusal}', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN {answer};
END
$function$
""",
    )
