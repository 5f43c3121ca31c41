"""Queries whose SQL the ORM writes once; afterwards they are only sent, with other parameters.

For the statements of pages and of each call of the API, compiling takes several times as long as running. The rest of
the package queries the ORM as usual.
"""

import json
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Generic, TypeVar, cast

from django.db import connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BigIntegerField, F, Field, Lookup, QuerySet, Subquery, TextField, Value
from django.db.models.base import ModelState
from django.db.models.sql.compiler import SQLCompiler
from django.db.transaction import TransactionManagementError

from blog_engine.models.reading import database_of
from blog_engine.rules.approvals import counting_rule

M = TypeVar("M", bound=models.Model)
T = TypeVar("T")


_CURSOR: Final = "_blog_engine_cursor"


def fetched(connection: BaseDatabaseWrapper, sql: str, parameters: Sequence[Any] | None = None) -> list[Any]:
    """Run a statement, and return all its rows.

    The cursor is used again: to make one takes longer than to run a short statement. All rows are read, since until
    the end SQLite would show the cursor, and hold for it, the database as it was.
    """
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    driver, cursor = connection.__dict__.get(_CURSOR, (None, None))
    if connection.queries_logged or cursor is None or driver is not connection.connection:
        cursor = connection.cursor()
    if not connection.queries_logged:
        # On the connection, so that it ends with it.
        connection.__dict__[_CURSOR] = connection.connection, cursor
    cursor.execute(sql, parameters)
    rows: list[Any] = cursor.fetchall()
    return rows


@dataclass(frozen=True, slots=True)
class _Slot:
    """The slot of a parameter among those of the compiled statement."""

    name: str
    field: "Field[Any, Any] | None"

    def value_in(self, given: Mapping[str, Any], connection: BaseDatabaseWrapper) -> Any:
        value = given[self.name]
        return value if self.field is None else self.field.get_db_prep_value(value, connection)


class Parameter(Value):
    """A value that each run of a compiled query is given by name.

    ``field`` converts the value for the database; without one it is sent as it is, which suits numbers and texts.
    """

    def __init__(self, name: str, field: "Field[Any, Any] | None" = None) -> None:
        super().__init__(_Slot(name, field))

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, tuple[Any, ...]]:
        return "%s", (self.value,)


def array_of(numbers: Iterable[int]) -> str:
    """Return numbers as PostgreSQL writes an array: as a list, the driver would convert them one by one."""
    return f"{{{','.join(map(str, numbers))}}}"


class _Integers(Field):  # type: ignore[type-arg]  # generic in the stubs only
    """Numbers that are sent as one value."""

    def get_db_prep_value(self, value: Sequence[int], connection: BaseDatabaseWrapper, prepared: bool = False) -> Any:
        return array_of(value) if connection.vendor == "postgresql" else json.dumps(list(value))


class _Among(Lookup):
    """A condition that a column is one of ``_Integers``."""

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, tuple[Any, ...]]:
        return self._compared(compiler, connection, "IN (SELECT value FROM json_each({}))")

    def as_postgresql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, tuple[Any, ...]]:
        return self._compared(compiler, connection, "= ANY ({}::bigint[])")

    def _compared(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, condition: str
    ) -> tuple[str, tuple[Any, ...]]:
        column, column_parameters = self.process_lhs(compiler, connection)
        values, parameters = self.process_rhs(compiler, connection)
        return f"{column} {condition.format(values)}", (*column_parameters, *parameters)


class _Texts(Field):  # type: ignore[type-arg]  # generic in the stubs only
    """Texts that are sent as one value."""

    def get_db_prep_value(self, value: Sequence[str], connection: BaseDatabaseWrapper, prepared: bool = False) -> Any:
        return list(value) if connection.vendor == "postgresql" else json.dumps(list(value))


class _AmongTexts(_Among):
    """A condition that a column is one of ``_Texts``."""

    def as_postgresql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, tuple[Any, ...]]:
        return self._compared(compiler, connection, "= ANY ({}::text[])")


def among(column: str, numbers: str | Sequence[int]) -> _Among:
    """Return the condition that a column is one of these numbers, or of those that each run is given by this name.

    The list is one parameter: one statement serves lists of any length, and long ones cost the driver nothing.
    """
    if isinstance(numbers, str):
        return _Among(F(column), Parameter(numbers, _Integers()))
    return _Among(F(column), Value(numbers, output_field=_Integers()))


def among_texts(column: str, texts: str | Collection[str]) -> _AmongTexts:
    """Return the condition that a column is one of these texts, or of those that each run is given by this name."""
    if isinstance(texts, str):
        return _AmongTexts(F(column), Parameter(texts, _Texts()))
    return _AmongTexts(F(column), Value(texts, output_field=_Texts()))


class RowCount(Subquery):
    """The number of rows that a query finds, as a value of another query."""

    template = "(SELECT COUNT(*) FROM (%(subquery)s) AS counted)"
    output_field = BigIntegerField()


class JoinedTexts(Subquery):
    """The texts in the one column of a query with a comma after each but the last, as a value of another query."""

    template = "(SELECT STRING_AGG(joined.value, ',') FROM (%(subquery)s) AS joined(value))"
    output_field = TextField()

    def as_sqlite(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> Any:
        joined = "(WITH joined(value) AS (%(subquery)s) SELECT GROUP_CONCAT(value, ',') FROM joined)"
        return self.as_sql(compiler, connection, template=joined)


class _Compiled(Generic[T]):
    """A query that is compiled at its first run, once for each database and rule of the approvals that count.

    ``build`` returns the queryset, with a ``Parameter`` for each value that differs between runs. Slices are part of
    the statement.
    """

    _converts: ClassVar = True
    """Whether values are converted as Django converts them."""

    def __init__(self, build: Callable[[], QuerySet[Any]]) -> None:
        self._build = build
        self._model: type[models.Model] | None = None
        self._statements: dict[tuple[str, str, Hashable], _Statement[T]] = {}

    def all(self, offset: int = 0, /, **given: Any) -> list[T]:
        """Run the query with these parameters, and return its rows.

        A query with a limit can leave out the rows before ``offset``.
        """
        if self._model is None:
            self._model = self._build().model
        connection = connections[alias := database_of(self._model)]
        # A test may put another database under the same alias.
        key = alias, connection.vendor, counting_rule()
        statement = self._statements.get(key)
        if statement is None:
            statement = self._statements[key] = self._compile(connection)
        return statement.run(connection, given, offset=offset)

    def first(self, **given: Any) -> T | None:
        """Return the first row, or ``None``; give the query the limit 1."""
        return next(iter(self.all(**given)), None)

    def _compile(self, connection: BaseDatabaseWrapper) -> "_Statement[T]":
        # The connection itself knows that it is in a transaction, which a query that locks rows asks for.
        query = self._build().query
        sql, parameters = query.get_compiler(connection=connection).as_sql()
        locks = query.select_for_update and connection.features.has_select_for_update
        # A copy that is never connected, because the converters keep it, and connections belong to one thread.
        compiler = self._build().query.get_compiler(connection=connection.copy())
        compiler.pre_sql_setup()
        converters = compiler.get_converters(expression for expression, _, _ in compiler.select)
        made = self._maker(compiler, connection.alias)
        return _Statement(sql, tuple(parameters), dict(converters) if self._converts else {}, made, locks=locks)

    def _maker(self, compiler: SQLCompiler, alias: str) -> Callable[[Sequence[Any]], T]:
        """Return the function that makes the result of a row."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class _Statement(Generic[T]):
    """The SQL of a query for one database."""

    sql: str
    parameters: tuple[Any, ...]
    converters: dict[int, tuple[Sequence[Callable[..., Any]], Any]]
    """For a column its converters, as Django's compiler finds them, and its expression."""
    make: Callable[[Sequence[Any]], T]
    locks: bool
    """Whether it locks rows until the transaction ends."""

    def run(self, connection: BaseDatabaseWrapper, given: Mapping[str, Any], *, offset: int) -> list[T]:
        """Send the statement, and return its rows."""
        if self.locks and connection.get_autocommit():
            raise TransactionManagementError("A query that locks rows needs a transaction.")
        sent = [one.value_in(given, connection) if isinstance(one, _Slot) else one for one in self.parameters]
        sql = self.sql
        if offset:
            # The limit is the last part of the statement, and the offset follows it.
            sql, sent = f"{sql} OFFSET %s", [*sent, offset]
        rows = fetched(connection, sql, sent)
        if not self.converters:
            return [self.make(row) for row in rows]
        return [self.make(self._converted(row, connection)) for row in rows]

    def _converted(self, row: Sequence[Any], connection: BaseDatabaseWrapper) -> list[Any]:
        values = list(row)
        for place, (convert_each, expression) in self.converters.items():
            value = values[place]
            for convert in convert_each:
                value = convert(value, expression, connection)
            values[place] = value
        return values


class CompiledValues(_Compiled[T]):
    """A query of ``values_list()``, compiled once; ``make`` is called with the columns of each row."""

    def __init__(self, build: Callable[[], QuerySet[Any]], make: Callable[..., T]) -> None:
        super().__init__(build)
        self._make = make

    def _maker(self, compiler: SQLCompiler, alias: str) -> Callable[[Sequence[Any]], T]:
        return lambda row: self._make(*row)


class CompiledTuples(_Compiled[T]):
    """A query of ``values_list()`` with numbers and texts, compiled once; its thousands of rows are not converted."""

    _converts = False

    def _maker(self, compiler: SQLCompiler, alias: str) -> Callable[[Sequence[Any]], T]:
        return cast("Callable[[Sequence[Any]], T]", tuple)


class CompiledModels(_Compiled[M]):
    """A query of instances with ``only()``, ``select_related()`` and annotations, compiled once.

    It ignores ``prefetch_related()``, and does not send ``pre_init`` and ``post_init``.
    """

    def _maker(self, compiler: SQLCompiler, alias: str) -> Callable[[Sequence[Any]], M]:
        loaded = _Loaded.of(compiler.klass_info, compiler, annotations=compiler.annotation_col_map or {})
        return lambda row: loaded.instance(row, alias)


class CompiledRows(Generic[M]):
    """Instances by id: ``build`` returns the queryset that is filtered."""

    def __init__(self, build: Callable[[], QuerySet[M]]) -> None:
        self._rows: CompiledModels[M] = CompiledModels(lambda: build().filter(among("pk", "ids")).order_by())

    def by_id(self, ids: Sequence[int]) -> dict[int, M]:
        """Return the rows with these ids, at most one for each; one query, and none without ids."""
        return {row.pk: row for row in self._rows.all(ids=ids)} if ids else {}


@dataclass(frozen=True, slots=True)
class _Loaded:
    """The loading of instances of a model from rows."""

    model: type[models.Model]
    columns: tuple[tuple[str, int], ...]
    """Attributes and positions in the row, of annotations too. The other columns are deferred."""
    key: int
    """The position of the primary key, which is null where a related row is missing."""
    related: tuple[tuple[Callable[..., None], Callable[..., None], "_Loaded"], ...]
    """What sets the relation on the instance, what sets it on the related one, and the related one."""

    @classmethod
    def of(cls, info: Mapping[str, Any], compiler: SQLCompiler, *, annotations: Mapping[str, int]) -> "_Loaded":
        columns = {compiler.select[place][0].target.attname: place for place in info["select_fields"]}
        return cls(
            model=info["model"],
            columns=(*columns.items(), *annotations.items()),
            key=columns[info["model"]._meta.pk.attname],
            related=tuple(
                (one["local_setter"], one["remote_setter"], cls.of(one, compiler, annotations={}))
                for one in info.get("related_klass_infos", ())
            ),
        )

    def instance(self, row: Sequence[Any], alias: str) -> Any:
        """Return the instance in a row, or ``None``."""
        if row[self.key] is None:
            return None
        # As ``Model.from_db``, without its walk over all fields of the model.
        made = self.model.__new__(self.model)
        made._state = ModelState()
        made._state.adding, made._state.db = False, alias
        made.__dict__.update((name, row[place]) for name, place in self.columns)
        for set_on_instance, set_on_related, loaded in self.related:
            found = loaded.instance(row, alias)
            set_on_instance(made, found)
            if found is not None:
                set_on_related(found, made)
        return made
