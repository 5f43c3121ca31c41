"""The Django app."""

from django.apps import AppConfig
from django.db.backends.signals import connection_created
from django.utils.translation import gettext_lazy as _


class BlogEngineConfig(AppConfig):
    """The blog engine as an installed app."""

    name = "blog_engine"
    label = "blog_engine"
    verbose_name = _("Blog engine")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the system checks, and protect the history from migrations and fixtures."""
        from blog_engine.checks import register_checks
        from blog_engine.models import keep_triggers
        from blog_engine.queries.loading import check_loaded_history
        from blog_engine.queries.undoing import protect_tables

        register_checks()
        connection_created.connect(keep_triggers)
        check_loaded_history()
        protect_tables()
