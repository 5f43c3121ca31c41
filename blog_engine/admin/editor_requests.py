"""Requests of the editor's scripts: the present version of a post, signing in again, pasted HTML."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from blog_engine.admin.base import ANY_OF_POSTS, DeskView, Permission
from blog_engine.admin.editor import EditorView
from blog_engine.admin.post_form import version_of
from blog_engine.importing.html.clipboard import markdown_of_clipboard
from blog_engine.models import Post
from blog_engine.rules.isolation import isolated


class PostVersionView(EditorView):
    """The present version of a post, or null for a new one, and the token of the next request as ``token``.

    A page asks when it gets the focus again and before it sends its form: an answer also means that the writer is
    signed in. The token changes with each sign-in.
    """

    permissions = ANY_OF_POSTS

    def get(self, request: HttpRequest, post_id: int | None = None) -> HttpResponse:
        token = get_token(request)
        if post_id is None:
            return JsonResponse({"message": "", "version": None, "token": token})
        post = self.stored_post(post_id)
        return JsonResponse(
            {"message": conflict_sentence(post, self.actor.name), "version": version_of(post), "token": token}
        )


class SignedInView(DeskView):
    """The end of signing in in a window of its own, which closes itself."""

    permissions = ANY_OF_POSTS

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.page("signed_in.html", title=_("You are signed in"), is_popup=True)


class PasteView(DeskView):
    """Markdown of HTML, as JSON; nothing is stored. HTML that is too long stays plain text."""

    permissions = (Permission.WRITE,)
    is_once = False

    def post(self, request: HttpRequest) -> HttpResponse:
        try:
            pasted = markdown_of_clipboard(request.POST.get("html", ""))
        except ValueError:
            return JsonResponse(
                {"message": _("Pasted as plain text: there is too much to convert at once.")}, status=422
            )
        missing = pasted.missing_images
        message = ngettext(
            "%(number)s image was not on the clipboard: upload it.",
            "%(number)s images were not on the clipboard: upload them.",
            missing,
        )
        return JsonResponse({"markdown": pasted.markdown, "message": message % {"number": missing} if missing else ""})


def conflict_sentence(post: Post, me: str) -> str:
    """Return the sentence for a writer whose form is older than the post; ``me`` is the name of the writer."""
    if post.unrecorded_actor == me:
        return _("You saved another version of this post in another window. Save to see both; nothing is overwritten.")
    if post.unrecorded_actor:
        words = _("%(name)s saved another version of this post. Save to see both versions; nothing is overwritten.")
        return words % isolated({"name": post.unrecorded_actor})
    return _("Somebody saved another version of this post. Save to see both versions; nothing is overwritten.")
