"""Lists can be filtered by findings, and by whether an approval is missing."""

from typing import ClassVar

from django.db import migrations, models

from blog_engine.models.locking import LockTables


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0038_withheld_versions")]

    operations: ClassVar = [
        LockTables(),
        migrations.CreateModel(
            name="FindingCode",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("post", models.BigIntegerField()),
                ("code", models.CharField(max_length=255)),
            ],
            options={
                "verbose_name": "finding of a post",
                "verbose_name_plural": "findings of posts",
                "ordering": ["id"],
                "abstract": False,
                "base_manager_name": "objects",
                "indexes": [models.Index(fields=["post"], name="blog_engine_finding_code_post")],
                "constraints": [models.UniqueConstraint(fields=("code", "post"), name="blog_engine_finding_code_once")],
            },
        ),
        migrations.AddField(model_name="post", name="approval_missing", field=models.BooleanField(null=True)),
        migrations.AddIndex(
            model_name="post",
            index=models.Index(fields=["approval_missing", "-created_at", "-id"], name="blog_engine_post_unapproved"),
        ),
    ]
