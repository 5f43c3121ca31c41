"""What the triggers of a table need to know, read from its model (design.md 1.4)."""

from dataclasses import dataclass

from django.apps.registry import Apps
from django.db.models import ForeignKey, Model

APP = "blog_engine"
HISTORY_MODELS = ("Revision", "Approval", "Publication", "Baseline", "ConnectionDeclaration", "Image")
PERMIT_MODEL = "HistoryPermit"
GUARDED_MODELS = (*HISTORY_MODELS, "Post", PERMIT_MODEL)


@dataclass(frozen=True)
class Guard:
    """One trigger. Where triggers call a function, ``function`` is the body of the one of the same name."""

    name: str
    table: str
    create: str
    function: str = ""

    def create_statements(self) -> list[str]:
        """The SQL that makes the trigger."""
        if not self.function:
            return [self.create]
        head = f"CREATE OR REPLACE FUNCTION {self.name}() RETURNS trigger LANGUAGE plpgsql"
        return [f"{head} AS $body${self.function}$body$", self.create]

    def drop_statements(self) -> list[str]:
        """The SQL that takes the trigger away."""
        if not self.function:
            return [f'DROP TRIGGER "{self.name}"']
        return [f"DROP TRIGGER {self.name} ON {self.table}", f"DROP FUNCTION {self.name}()"]


@dataclass(frozen=True)
class GuardedTable:
    """Names of a table and of the tables its triggers read; ``post_column`` is None where rows belong to no post."""

    name: str
    is_history: bool
    is_revision: bool
    is_permit: bool
    post_column: str | None
    revision_columns: tuple[str, ...]
    post_table: str
    revision_table: str
    permit_table: str
    baseline_table: str
    publication_table: str


def describe_table(model: type[Model]) -> GuardedTable:
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
        post_column="id" if model is post else next(iter(to_post), None),
        revision_columns=tuple(link.column for link in links if link.related_model is revision),
        post_table=post._meta.db_table,
        revision_table=revision._meta.db_table,
        permit_table=registry.get_model(APP, PERMIT_MODEL)._meta.db_table,
        baseline_table=registry.get_model(APP, "Baseline")._meta.db_table,
        publication_table=registry.get_model(APP, "Publication")._meta.db_table,
    )
