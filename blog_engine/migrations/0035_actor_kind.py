"""The kind and the id of the actor that made each record of the history."""

from typing import ClassVar

from django.db import migrations, models

from blog_engine.models.locking import LockTables

_RECORDS = (
    *("approval", "baseline", "connectiondeclaration", "proposal", "proposalevent", "publication", "revision"),
    "statuschange",
)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0034_remove_images")]

    operations: ClassVar = [
        LockTables(),
        *(
            migrations.AddField(record, name, models.CharField(max_length=length, null=True))
            for record in _RECORDS
            for name, length in (("actor_kind", 20), ("actor_id", 255))
        ),
        migrations.AddField("post", "unrecorded_by", models.JSONField(null=True)),
    ]
