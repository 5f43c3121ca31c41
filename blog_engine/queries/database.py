"""The database that the engine's tables live in."""

from django.apps import apps
from django.db import Error, connections, router
from django.db.backends.base.base import BaseDatabaseWrapper

from blog_engine.models import Post


def engine_connection() -> BaseDatabaseWrapper:
    """The connection on which the engine writes."""
    return connections[router.db_for_write(Post)]


def database_answers() -> bool:
    """Whether the database can be reached: on that connection or, when it broke, on a new one."""
    try:
        with engine_connection().cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return False
    return True


def missing_tables() -> list[str]:
    """The tables of the engine that the database does not have."""
    there = set(engine_connection().introspection.table_names())
    models = apps.get_app_config("blog_engine").get_models(include_auto_created=True)
    return sorted({model._meta.db_table for model in models} - there)
