"""The translation group of a post: the versions of it in other languages."""

from typing import Final

from django.db.models import QuerySet

from blog_engine.conf import get_settings
from blog_engine.errors import ValidationFailed
from blog_engine.models import Post
from blog_engine.queries.posts import PostByKey
from blog_engine.services._edit import Edit

_TRANSLATED: Final = PostByKey(lambda: Post.objects.only("pk", "translation_group", "version").order_by())


def assign_translation(edit: Edit) -> None:
    """Set the translation group that the write names; ``lock_translations`` holds its posts.

    Call it before anything else is locked. A post that is in no group yet begins one. Raises ``ValidationFailed`` for a
    post that does not exist or is the one itself, and for a language that another post of the group has.
    """
    if edit.sent("translation_of"):
        key = edit.data.translation_of
        edit.post.translation_group = None if key is None else _group_of(key, edit.post)
    _refuse_taken_language(edit.post)


def _group_of(key: str, post: Post) -> str:
    translated = _TRANSLATED.first(key)
    if translated is None:
        raise ValidationFailed(["translation_of"], hint="No post has that id or slug. List the posts to find it.")
    if translated.pk == post.pk:
        raise ValidationFailed(["translation_of"], hint="That is the post itself: send the id of another one, or null.")
    if translated.translation_group is None:
        # No other group has this key: a post that left its group has another version than when it began that one.
        translated.translation_group = f"{translated.pk}-{translated.version}"
        # Past the guard of posts: the group is not content.
        QuerySet.update(Post.objects.filter(pk=translated.pk), translation_group=translated.translation_group)
    return translated.translation_group


def _refuse_taken_language(post: Post) -> None:
    if post.translation_group is None:
        return
    others = Post.objects.filter(translation_group=post.translation_group).exclude(pk=post.pk)
    own = get_settings().language.lower()
    # A post without a language has that of the blog, which another one may name.
    if (post.language.lower() or own) in {language.lower() or own for language in _languages(others)}:
        raise taken_language()


def _languages(posts: QuerySet[Post]) -> QuerySet[Post, str]:
    return posts.order_by().values_list("language", flat=True)


def taken_language() -> ValidationFailed:
    """Return the refusal of a language that another post of the translation group has."""
    return ValidationFailed(
        ["language"],
        hint="Another post of the translation group has that language: send another one, or null as translation_of.",
    )
