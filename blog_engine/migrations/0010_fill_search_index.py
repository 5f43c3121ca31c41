"""Index the stored posts, so that they are found before ``render_posts`` runs.

The words are from the texts that the earlier search stored and goes on searching, which therefore stay as they are. The
posts stay stale: ``render_posts`` fills the passages that results show, and stores the texts in the form of this release.
"""

from typing import Any, ClassVar

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from blog_engine.content.search_text import Searched, folded_words, ranked_words, word_key
from blog_engine.content.search_text import stem

_COLUMNS = ("indexed_title", "indexed_description", "indexed_faq", "indexed_body")
_BATCH = 500


def _fill(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    alias = schema_editor.connection.alias
    post_model, entry, word_model = (
        apps.get_model("blog_engine", name) for name in ("Post", "SearchEntry", "SearchWord")
    )
    for post_id in list(post_model.objects.using(alias).order_by("pk").values_list("pk", flat=True)):
        post = post_model.objects.using(alias).only(*_COLUMNS).get(pk=post_id)
        texts = Searched(*(folded_words(getattr(post, column)) for column in _COLUMNS))
        ranks = ranked_words(texts)
        entry.objects.using(alias).bulk_create(
            (entry(word=word_key(word), post_id=post_id, rank=rank) for word, rank in ranks.items()),
            batch_size=_BATCH,
        )
        word_model.objects.using(alias).bulk_create(
            (word_model(key=word_key(word), word=word, stem=stem(word), tail=stem(word)[::-1]) for word in ranks),
            batch_size=_BATCH,
            ignore_conflicts=True,
        )


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0009_search_index")]

    operations: ClassVar = [migrations.RunPython(_fill, migrations.RunPython.noop)]
