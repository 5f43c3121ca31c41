"""All tables at once, for a new blog, which would otherwise create and alter them in 41 steps.

A database that has some of the replaced migrations goes on with the others. The next migration depends on 0043, for which
Django takes this one where it is in use: ``migrate`` to a replaced migration then undoes the next one first.
"""

from collections.abc import Iterator
from importlib import import_module
from typing import ClassVar

from django.conf import settings
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import Model

from blog_engine.models.protection import ProtectHistory, RequireSupportedDatabase

_REPLACED = [
    "0001_initial",
    "0002_protect_history",
    "0003_search_vector",
    "0004_author_addresses",
    "0005_featured_posts",
    "0006_unrecorded_authorship",
    "0007_feed_ids",
    "0008_history_cannot_be_forged",
    "0009_search_index",
    "0010_fill_search_index",
    "0011_engine_managers",
    "0012_content_version",
    "0013_list_counts",
    "0014_publication_times",
    "0015_listed_search_entries",
    "0016_desk",
    "0017_posts_to_review",
    "0018_embedded_images",
    "0019_desk_indexes",
    "0020_chain",
    "0021_recent_writes",
    "0022_proposal",
    "0023_upload_ticket",
    "0024_webhook",
    "0025_languages",
    "0027_withdrawals_end_permits",
    "0028_proposed_revisions",
    "0029_draft_versions",
    "0030_review_conversation",
    "0031_author_user",
    "0033_creation_key",
    "0034_remove_images",
    "0035_actor_kind",
    "0036_image_origin",
    "0037_passkeys",
    "0038_withheld_versions",
    "0039_finding_codes",
    "0040_house_style",
    "0041_idempotency_keys",
    "0042_shared_copies",
    "0043_authors_and_reach",
]


class CreateTables(Operation):
    """Create each table in the form that the replaced migrations give it."""

    reversible = True
    reduces_to_sql = True
    replaced: ClassVar[list[Operation]] = [
        operation
        for name in _REPLACED
        for operation in import_module(f"blog_engine.migrations.{name}").Migration.operations
    ]

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        # A state without classes does not build them again after each operation.
        state.__dict__.pop("apps", None)
        for operation in self.replaced:
            operation.state_forwards(app_label, state)

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        for model in self._models(app_label, schema_editor, to_state):
            schema_editor.create_model(model)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        for model in self._models(app_label, schema_editor, from_state):
            schema_editor.delete_model(model)

    def describe(self) -> str:
        return "Create all tables of the blog"

    def _models(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, state: ProjectState
    ) -> Iterator[type[Model]]:
        for model in state.apps.get_app_config(app_label).get_models():
            if self.allow_migrate_model(schema_editor.connection.alias, model):
                yield model


class Migration(migrations.Migration):
    initial = True

    dependencies: ClassVar = [migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    replaces: ClassVar = [("blog_engine", name) for name in _REPLACED]

    operations: ClassVar = [RequireSupportedDatabase(), CreateTables(), ProtectHistory()]
