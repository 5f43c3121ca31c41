"""What the triggers of a table need to know, read from its model."""

from dataclasses import dataclass

from django.apps.registry import Apps
from django.db.models import ForeignKey, Model

APP = "blog_engine"
HISTORY_MODELS = ("Revision", "Approval", "Publication", "Baseline", "ConnectionDeclaration", "Image")
REPLACEABLE_MODELS = ("Revision", "Approval", "Publication", "Baseline")
PERMIT_MODEL = "HistoryPermit"
GUARDED_MODELS = (*HISTORY_MODELS, "Post", PERMIT_MODEL)


@dataclass(frozen=True)
class Guard:
    """One trigger. On PostgreSQL it calls a function, and every name but its own includes the schema."""

    name: str
    table: str
    create: str
    function: str = ""
    """The name of the function that the trigger calls."""
    definition: str = ""
    """The SQL that creates the function, as ``pg_get_functiondef`` shows it."""

    def create_statements(self) -> list[str]:
        """The SQL that creates the trigger."""
        return [self.definition, self.create] if self.function else [self.create]

    def drop_statements(self) -> list[str]:
        """The SQL that removes the trigger."""
        if not self.function:
            return [f'DROP TRIGGER "{self.name}"']
        return [f"DROP TRIGGER {self.name} ON {self.table}", f"DROP FUNCTION {self.function}()"]


@dataclass(frozen=True)
class GuardedTable:
    """Names of a table and of the tables its triggers read; ``post_column`` is None where rows belong to no post.

    ``is_replaceable``: a repeated adoption may delete its rows.
    """

    name: str
    is_history: bool
    is_revision: bool
    is_permit: bool
    is_baseline: bool
    is_replaceable: bool
    post_column: str | None
    revision_columns: tuple[str, ...]
    post_table: str
    revision_table: str
    permit_table: str
    baseline_table: str
    publication_table: str
    approval_table: str
    schema: str


def describe_table(model: type[Model], *, schema: str = "") -> GuardedTable:
    """Read the names from a model: one of the app as it is, or one of a migration's state."""
    meta = model._meta
    registry: Apps = meta.apps
    post, revision = registry.get_model(APP, "Post"), registry.get_model(APP, "Revision")
    links = [field for field in meta.local_concrete_fields if isinstance(field, ForeignKey)]
    to_post = [link.column for link in links if link.related_model is post]
    return GuardedTable(
        name=meta.db_table,
        is_history=meta.object_name in HISTORY_MODELS,
        is_revision=model is revision,
        is_permit=meta.object_name == PERMIT_MODEL,
        is_baseline=meta.object_name == "Baseline",
        is_replaceable=meta.object_name in REPLACEABLE_MODELS,
        post_column="id" if model is post else next(iter(to_post), None),
        revision_columns=tuple(link.column for link in links if link.related_model is revision),
        post_table=post._meta.db_table,
        revision_table=revision._meta.db_table,
        permit_table=registry.get_model(APP, PERMIT_MODEL)._meta.db_table,
        baseline_table=registry.get_model(APP, "Baseline")._meta.db_table,
        publication_table=registry.get_model(APP, "Publication")._meta.db_table,
        approval_table=registry.get_model(APP, "Approval")._meta.db_table,
        schema=schema,
    )
