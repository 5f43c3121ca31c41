"""The triggers of SQLite."""

from collections.abc import Iterator

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model, UniqueConstraint
from django.db.models.sql import Query

from blog_engine.enums import ApprovalKind, EntryType
from blog_engine.models._guard import WITHDRAWN_FROM, Guard, GuardedTable, describe_table


def sqlite_guards(model: type[Model], connection: BaseDatabaseWrapper) -> list[Guard]:
    """Return the triggers of a table, as ``sqlite_master`` shows them."""
    table = describe_table(model)
    guards = []
    if table.is_history:
        guards += [_no_update(table), _no_delete(table), _no_replace(table, _meetings(model, connection))]
    guards += [guard for column in table.revision_columns for guard in _same_post(table, column)]
    if table.is_revision:
        guards.append(_not_claimed(table))
    if table.is_baseline:
        guards.append(_comes_first(table))
    if table.is_permit:
        guards += _only_adopted(table)
    return guards


def stored_sqlite_guards(connection: BaseDatabaseWrapper) -> list[Guard]:
    """Return the triggers that the database has."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger' AND name GLOB 'blog_engine_*'"
        )
        return [Guard(name=name, table=table, create=sql) for name, table, sql in cursor.fetchall()]


def _no_update(table: GuardedTable) -> Guard:
    columns = ", ".join(f'"{column}"' for column in table.fixed_columns)
    event = f"BEFORE UPDATE OF {columns}" if columns else "BEFORE UPDATE"
    return _guard(table, "no_update", event, refusal="a row of the history cannot be changed")


def _no_delete(table: GuardedTable) -> Guard:
    refusal = "a row of the history cannot be deleted"
    if table.is_discardable:
        recorded = f'EXISTS (SELECT 1 FROM "{table.revision_table}" WHERE "post_id" = OLD."{table.post_column}")'
        return _guard(table, "no_delete", "BEFORE DELETE", when=recorded, refusal=refusal)
    if table.is_image:
        named = " OR ".join(
            f'EXISTS (SELECT 1 FROM "{name}" WHERE instr("{column}", OLD."sha256"))'
            for name, column in table.naming_columns
        )
        return _guard(table, "no_delete", "BEFORE DELETE", when=named, refusal=refusal)
    if not table.is_replaceable:
        return _guard(table, "no_delete", "BEFORE DELETE", refusal=refusal)
    post = f'"post_id" = OLD."{table.post_column}"'
    # A permit may be older than what follows the adoption, so this is asked again for each row.
    when = f'NOT EXISTS (SELECT 1 FROM "{table.permit_table}" WHERE {post}) OR {_followed(table, post)}'
    return _guard(table, "no_delete", "BEFORE DELETE", when=when, refusal=refusal)


def _no_replace(table: GuardedTable, meetings: list[str]) -> Guard:
    # INSERT OR REPLACE deletes the row it meets, and no delete trigger runs for it.
    return _guard(
        table,
        "no_replace",
        "BEFORE INSERT",
        when=" OR ".join(meetings),
        refusal="a row of the history cannot be written over",
    )


def _same_post(table: GuardedTable, column: str) -> Iterator[Guard]:
    # A history row comes after its revision. A post may come before it, as when a dump is loaded: see _not_claimed.
    link = f'SELECT 1 FROM "{table.revision_table}" WHERE "id" = NEW."{column}" AND "post_id"'
    refusal = f"{column} is a revision of another post"
    if table.is_history:
        own = f'NOT EXISTS ({link} = NEW."{table.post_column}")'
        yield _guard(table, f"{column}_own", "BEFORE INSERT", when=own, refusal=refusal)
        return
    foreign = f'EXISTS ({link} <> NEW."{table.post_column}")'
    yield _guard(table, f"{column}_own", "BEFORE INSERT", when=foreign, refusal=refusal)
    changed = f'NEW."{column}" IS NOT OLD."{column}"'
    event = f'BEFORE UPDATE OF "{column}"'
    yield _guard(table, f"{column}_kept_own", event, when=f"{changed} AND {foreign}", refusal=refusal)


def _not_claimed(table: GuardedTable) -> Guard:
    # AFTER, because the id of a new row is not known BEFORE.
    claim = f'SELECT 1 FROM "{table.post_table}" WHERE "public_revision_id" = NEW."id"'
    return _guard(
        table,
        "not_claimed",
        "AFTER INSERT",
        when=f'EXISTS ({claim} AND "id" <> NEW."{table.post_column}")',
        refusal="another post calls this revision its public one",
    )


def _comes_first(table: GuardedTable) -> Guard:
    # Without this, a baseline could turn any reviewed draft into an adoption, whose records a permit can delete.
    post = f'"post_id" = NEW."{table.post_column}"'
    when = " OR ".join(
        f'EXISTS (SELECT 1 FROM "{records}" WHERE {post})'
        for records in (table.approval_table, table.publication_table)
    )
    refusal = "a baseline comes before the approvals and publications of its post"
    return _guard(table, "comes_first", "BEFORE INSERT", when=when, refusal=refusal)


def _followed(table: GuardedTable, post: str) -> str:
    """Return the SQL for whether anything of this blog followed the adoption of a post.

    Declarations are not asked for: no permit deletes one, and an adoption records its own.
    """
    later = {
        table.approval_table: f""""kind" = '{ApprovalKind.SENT.value}'""",
        table.publication_table: f""""entry_type" <> '{EntryType.ADOPTED.value}'""",
        table.status_table: f""""from_status" IN ({", ".join(f"'{status.value}'" for status in WITHDRAWN_FROM)})""",
        table.proposal_table: "TRUE",
    }
    return " OR ".join(
        f'EXISTS (SELECT 1 FROM "{name}" WHERE {post} AND {is_later})' for name, is_later in later.items() if name
    )


def _only_adopted(table: GuardedTable) -> Iterator[Guard]:
    post = f'"post_id" = NEW."{table.post_column}"'
    when = f'NOT EXISTS (SELECT 1 FROM "{table.baseline_table}" WHERE {post}) OR {_followed(table, post)}'
    refusal = "only an adoption that nothing followed can be replaced"
    yield _guard(table, "only_adopted", "BEFORE INSERT", when=when, refusal=refusal)
    yield _guard(table, "kept_only_adopted", "BEFORE UPDATE", when=when, refusal=refusal)


def _guard(table: GuardedTable, suffix: str, event: str, *, refusal: str, when: str = "") -> Guard:
    name = f"{table.name}_{suffix}"
    condition = f" WHEN {when}" if when else ""
    return Guard(
        name=name,
        table=table.name,
        create=f'CREATE TRIGGER "{name}" {event} ON "{table.name}"{condition} '
        f"BEGIN SELECT RAISE(ABORT, '{table.name}: {refusal}'); END",
    )


def _meetings(model: type[Model], connection: BaseDatabaseWrapper) -> list[str]:
    """Return a condition for each set of columns by which a new row can replace a stored one."""
    meta = model._meta
    column_of = {field.name: field.column for field in meta.local_concrete_fields if field.column}
    single = [[column_of[field.name]] for field in meta.local_concrete_fields if field.unique]
    together = [[column_of[name] for name in names] for names in meta.unique_together]
    found = [_meeting(model, columns, "") for columns in [*single, *together]]
    for constraint in meta.constraints:
        if isinstance(constraint, UniqueConstraint):
            if constraint.expressions:
                raise TypeError(f"{constraint.name}: the protection knows unique columns, not unique expressions.")
            columns = [column_of[name] for name in constraint.fields]
            found.append(_meeting(model, columns, _both_rows(model, constraint, connection)))
    return found


def _meeting(model: type[Model], columns: list[str], condition: str) -> str:
    table = model._meta.db_table
    equal = " AND ".join(f'"{table}"."{column}" = NEW."{column}"' for column in columns)
    return f'EXISTS (SELECT 1 FROM "{table}" WHERE {equal}{condition})'


def _both_rows(model: type[Model], constraint: UniqueConstraint, connection: BaseDatabaseWrapper) -> str:
    """Return the condition of a partial unique index, for the stored row and the new one."""
    if constraint.condition is None:
        return ""
    query = Query(model)
    stored = query.build_where(constraint.condition)
    incoming = stored.relabeled_clone({model._meta.db_table: "NEW"})
    compiler = query.get_compiler(connection=connection)
    quote = connection.schema_editor().quote_value
    parts = []
    for where in (stored, incoming):
        sql, params = where.as_sql(compiler, connection)
        parts.append(f" AND ({sql % tuple(quote(param) for param in params)})")
    return "".join(parts)
