"""The triggers of PostgreSQL; each calls a function of its own with the same name.

The functions look into the schema of the guarded table, whatever the search path says: a temporary table
with the name of the permit table would open the history otherwise.
"""

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model

from blog_engine.models._guard import Guard, GuardedTable, describe_table
from blog_engine.vocabulary import EntryType

# tgenabled: O fires in ordinary sessions, A in all; D is switched off, R fires only in a replica.
_STORED = """
    SELECT tgname, relname, prosrc,
        pg_get_triggerdef(pg_trigger.oid, true) || CASE WHEN tgenabled IN ('O', 'A') THEN '' ELSE ' (disabled)' END
    FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
    WHERE NOT tgisinternal AND tgname ^@ 'blog_engine_' AND pg_table_is_visible(tgrelid)
"""


def postgresql_guards(model: type[Model]) -> list[Guard]:
    """The triggers that one table needs; their text is what ``pg_get_triggerdef`` will show."""
    table = describe_table(model)
    guards = []
    if table.is_history:
        guards += [_no_update(table), _no_delete(table)]
    guards += [_same_post(table, column) for column in table.revision_columns]
    if table.is_revision:
        guards.append(_not_claimed(table))
    if table.is_permit:
        guards.append(_only_adopted(table))
    return guards


def stored_postgresql_guards(connection: BaseDatabaseWrapper) -> list[Guard]:
    """The triggers of the app that the database has now; a disabled one says so in its text."""
    with connection.cursor() as cursor:
        cursor.execute(_STORED)
        return [
            Guard(name=name, table=table, create=create, function=function)
            for name, table, function, create in cursor.fetchall()
        ]


def _no_update(table: GuardedTable) -> Guard:
    return _guard(table, "no_update", "BEFORE UPDATE", refusal="a row of the history cannot be changed")


def _no_delete(table: GuardedTable) -> Guard:
    refusal = "a row of the history cannot be deleted"
    if table.post_column is None:
        return _guard(table, "no_delete", "BEFORE DELETE", refusal=refusal)
    ask = _look_up(table.permit_table, "post_id = $1", f"OLD.{table.post_column}")
    return _guard(table, "no_delete", "BEFORE DELETE", ask=ask, when="NOT met", answer="OLD", refusal=refusal)


def _same_post(table: GuardedTable, column: str) -> Guard:
    # A history row comes after its revision. A post may come before it, as when a dump is loaded: see _not_claimed.
    refusal = f"{column} is a revision of another post"
    values = f"NEW.{column}, NEW.{table.post_column}"
    if table.is_history:
        ask = _look_up(table.revision_table, "id = $1 AND post_id = $2", values)
        return _guard(table, f"{column}_own", "BEFORE INSERT", ask=ask, when="NOT met", refusal=refusal)
    changed = f"NEW.{column} IS NOT NULL AND (TG_OP = 'INSERT' OR NEW.{column} IS DISTINCT FROM OLD.{column})"
    ask = _look_up(table.revision_table, "id = $1 AND post_id <> $2", values)
    # AFTER, because a trigger BEFORE an update makes PostgreSQL compute the search column each time.
    event = f"AFTER INSERT OR UPDATE OF {column}"
    return _guard(table, f"{column}_own", event, ask=f"IF {changed} THEN {ask} END IF;", when="met", refusal=refusal)


def _not_claimed(table: GuardedTable) -> Guard:
    ask = _look_up(table.post_table, "public_revision_id = $1 AND id <> $2", f"NEW.id, NEW.{table.post_column}")
    refusal = "another post calls this revision its public one"
    return _guard(table, "not_claimed", "BEFORE INSERT", ask=ask, when="met", refusal=refusal)


def _only_adopted(table: GuardedTable) -> Guard:
    followed = f"SELECT 1 FROM %1$I.{table.publication_table} WHERE post_id = $1 AND entry_type <> $2"
    values = f"NEW.{table.post_column}, '{EntryType.ADOPTED.value}'"
    ask = _look_up(table.baseline_table, f"post_id = $1 AND NOT EXISTS ({followed})", values)
    refusal = "only an adoption that nothing followed can be replaced"
    return _guard(table, "only_adopted", "BEFORE INSERT OR UPDATE", ask=ask, when="NOT met", refusal=refusal)


def _look_up(table: str, condition: str, values: str) -> str:
    query = f"SELECT EXISTS (SELECT 1 FROM %1$I.{table} WHERE {condition})"
    return f"EXECUTE format('{query}', TG_TABLE_SCHEMA) INTO met USING {values};"


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
    return Guard(
        name=name,
        table=table.name,
        create=f"CREATE TRIGGER {name} {event} ON {table.name} FOR EACH ROW EXECUTE FUNCTION {name}()",
        function=f"""
DECLARE met boolean := false;
BEGIN
  {ask}
  IF {when} THEN
    RAISE EXCEPTION USING ERRCODE = 'restrict_violation', MESSAGE = '{table.name}: {refusal}', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN {answer};
END
""",
    )
