"""Writes of a measurement, and their removal, so that the next one finds the seeded rows."""

from itertools import count
from typing import Final

from django.apps import apps
from django.contrib.auth import get_user_model
from django.db import connection

from benchmarks.speed.names import PERSON
from benchmarks.speed.seed import recount

WRITTEN: Final = "-[0-9]{8}$"
"""The end of the slugs that a measurement writes; those of seeded posts have six digits."""


_VERSIONS: Final = count()


def change_content_version() -> None:
    """Give the content another version, as any write does."""
    with connection.cursor() as cursor:
        cursor.execute("UPDATE blog_engine_contentversion SET version = %s", [f"measured {next(_VERSIONS)}"])


def forget_writes() -> None:
    """Delete the posts and images that measurements wrote, with their history, and count the views from 0.

    PostgreSQL lets a superuser do that; on SQLite a measurement uses a copy of the file.
    """
    if connection.vendor != "postgresql":
        return
    models = apps.get_app_config("blog_engine").get_models()
    tables = {model._meta.db_table: {field.column for field in model._meta.concrete_fields} for model in models}
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("SELECT id FROM blog_engine_post WHERE slug ~ %s", [WRITTEN])
        posts = [row[0] for row in cursor.fetchall()]
        for table, columns in tables.items():
            if "post_id" in columns:
                cursor.execute(f"DELETE FROM {table} WHERE post_id = ANY(%s)", [posts])
        cursor.execute("DELETE FROM blog_engine_post WHERE id = ANY(%s)", [posts])
        cursor.execute("DELETE FROM blog_engine_image WHERE filename = 'new.png'")
        cursor.execute("DELETE FROM blog_engine_pageview")
        cursor.execute("DELETE FROM blog_engine_apitoken WHERE name = 'speed'")
        cursor.execute("SET session_replication_role = DEFAULT")
    get_user_model().objects.filter(username=PERSON).delete()
    if posts:
        recount()
