"""Triggers, and what they need to know of a table."""

from dataclasses import dataclass

from django.apps.registry import Apps
from django.db.models import CharField, Field, ForeignKey, JSONField, Model, TextField

from blog_engine.enums import PostStatus

APP = "blog_engine"
HISTORY_MODELS = (
    *("Revision", "Approval", "Publication", "Baseline", "ConnectionDeclaration", "StatusChange", "Image"),
    *("ChainLink", "Checkpoint", "Proposal", "ProposalEvent", "WithheldVersion", "ApprovalKey", "ApprovalSignature"),
)
DISCARDABLE_MODELS = ("StatusChange",)
IMAGE_MODEL = "Image"
ORIGIN_COLUMNS = ("credit", "digital_source_type", "source_type_from", "source_type_in_file")
"""Of an image: what is said of where it comes from, which can change."""
SHARED_COLUMNS = ("shared_type", "shared_width", "shared_height", "shared_bytes")
"""Of an image: its copy for networks and feeds, which can be drawn later. Everything else is a fact of its bytes."""
_NAMELESS_MODELS = (IMAGE_MODEL, "ChainLink", "Checkpoint", "WithheldVersion", "ApprovalKey", "ApprovalSignature")
NAMING_MODELS = tuple(name for name in HISTORY_MODELS if name not in _NAMELESS_MODELS)
"""Those whose texts can name an image by its digest; the others hold digests of records, keys and names."""
_LONGEST_NAME = 255
WITHDRAWN_FROM = (PostStatus.PUBLISHED, PostStatus.ARCHIVED)
"""Statuses that a post leaves after its adoption only: what is adopted was a draft, scheduled or nothing before."""
REPLACEABLE_MODELS = ("Revision", "Approval", "Publication", "Baseline")
PERMIT_MODEL = "HistoryPermit"
GUARDED_MODELS = (*HISTORY_MODELS, "Post", PERMIT_MODEL)


def guarded_models(registry: Apps) -> list[type[Model]]:
    """Return the models of a registry whose tables have triggers."""
    known = {model.__name__: model for model in registry.get_models() if model._meta.app_label == APP}
    return [known[name] for name in GUARDED_MODELS if name in known]


def naming_fields(model: type[Model]) -> "list[Field]":  # type: ignore[type-arg]  # generic in the stubs only
    """Return the fields of a history model that can name an image: texts that are longer than names, and JSON."""
    return [
        field
        for field in model._meta.local_concrete_fields
        if isinstance(field, TextField | JSONField)
        or (isinstance(field, CharField) and (field.max_length or 0) > _LONGEST_NAME)
    ]


def _fixed_columns(model: type[Model]) -> tuple[str, ...]:
    columns = tuple(str(field.column) for field in model._meta.local_concrete_fields)
    fixed = tuple(column for column in columns if column not in {*ORIGIN_COLUMNS, *SHARED_COLUMNS})
    return fixed if fixed != columns else ()


@dataclass(frozen=True)
class Guard:
    """One trigger. On PostgreSQL it calls a function, and all names except its own include the schema."""

    name: str
    table: str
    create: str
    function: str = ""
    """The name of the function that the trigger calls."""
    definition: str = ""
    """The SQL that creates the function, as ``pg_get_functiondef`` shows it."""

    def create_statements(self) -> list[str]:
        """Return the SQL that creates the trigger."""
        return [self.definition, self.create] if self.function else [self.create]

    def drop_statements(self) -> list[str]:
        """Return the SQL that removes the trigger."""
        if not self.function:
            return [f'DROP TRIGGER "{self.name}"']
        return [f"DROP TRIGGER {self.name} ON {self.table}", f"DROP FUNCTION {self.function}()"]


@dataclass(frozen=True)
class GuardedTable:
    """The names in the triggers of a table: its columns, and the tables that the triggers read."""

    name: str
    is_history: bool
    is_revision: bool
    is_permit: bool
    is_baseline: bool
    is_replaceable: bool
    """Whether a repeated adoption can delete its rows."""
    is_discardable: bool
    """Whether its rows are deleted with a post that left no revision."""
    is_image: bool
    """Whether its rows are deleted while no text of the history names their digest."""
    fixed_columns: tuple[str, ...]
    """Of the table of images: those that never change; none in a migration before there were others."""
    naming_columns: tuple[tuple[str, str], ...]
    """Of the table of images: table and column of each of these texts."""
    post_column: str | None
    """``None`` if rows belong to no post."""
    revision_columns: tuple[str, ...]
    post_table: str
    revision_table: str
    permit_table: str
    baseline_table: str
    publication_table: str
    approval_table: str
    status_table: str | None
    """``None`` in a migration before the table, as is the next."""
    proposal_table: str | None
    schema: str


def describe_table(model: type[Model], *, schema: str = "") -> GuardedTable:
    """Return the names of the table of a model, which can be a model of a migration's state."""
    meta = model._meta
    registry: Apps = meta.apps
    links = [field for field in meta.local_concrete_fields if isinstance(field, ForeignKey)]

    # By name: in a migration's state, a field may still refer to an earlier class of the same model.
    def columns_to(name: str) -> tuple[str, ...]:
        return tuple(link.column for link in links if link.related_model._meta.label == f"{APP}.{name}")

    def table_of(name: str) -> str:
        return str(registry.get_model(APP, name)._meta.db_table)

    def later_table(name: str) -> str | None:
        return table_of(name) if name.lower() in registry.all_models[APP] else None

    is_image = meta.object_name == IMAGE_MODEL
    naming = [registry.get_model(APP, name) for name in NAMING_MODELS if later_table(name)] if is_image else []

    return GuardedTable(
        name=meta.db_table,
        is_history=meta.object_name in HISTORY_MODELS,
        is_revision=meta.object_name == "Revision",
        is_permit=meta.object_name == PERMIT_MODEL,
        is_baseline=meta.object_name == "Baseline",
        is_discardable=meta.object_name in DISCARDABLE_MODELS,
        is_image=is_image,
        fixed_columns=_fixed_columns(model) if is_image else (),
        naming_columns=tuple((one._meta.db_table, str(field.column)) for one in naming for field in naming_fields(one)),
        is_replaceable=meta.object_name in REPLACEABLE_MODELS,
        post_column="id" if meta.object_name == "Post" else next(iter(columns_to("Post")), None),
        revision_columns=columns_to("Revision"),
        post_table=table_of("Post"),
        revision_table=table_of("Revision"),
        permit_table=table_of(PERMIT_MODEL),
        baseline_table=table_of("Baseline"),
        publication_table=table_of("Publication"),
        approval_table=table_of("Approval"),
        status_table=later_table("StatusChange"),
        proposal_table=later_table("Proposal"),
        schema=schema,
    )
