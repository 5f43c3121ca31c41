"""The challenge of a signature with a passkey: the digest of the approval that is going to be stored."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse

from blog_engine.actor import Scope
from blog_engine.admin.base import DeskView, Permission
from blog_engine.admin.reviews import SignatureForm
from blog_engine.admin.signature import keep_challenge, signing_site
from blog_engine.conf.extras import CAN_SIGN
from blog_engine.errors import Refusal
from blog_engine.models.base import whole_milliseconds
from blog_engine.queries.passkeys import working_passkeys
from blog_engine.queries.reviews import post_without_content
from blog_engine.services.passkeys import signing_options
from blog_engine.services.reviews import approval_digest


class ChallengeView(DeskView):
    """The challenge that a script asks for before a signature is sent, or that this person has no passkey.

    The challenge is the digest of the approval, so that its times are fixed here; the session keeps them.
    """

    permissions = (Permission.APPROVE,)
    grants = (Scope.PUBLISH,)
    is_once = False

    def post(self, request: HttpRequest, post_id: int) -> HttpResponse:
        if post_without_content(post_id) is None:
            raise Http404
        passkeys = working_passkeys(self.actor.id) if CAN_SIGN else []
        if not passkeys:
            return JsonResponse({"publicKey": None})
        form = SignatureForm(request.POST, account=self.actor.name)
        at = whole_milliseconds(self.now)
        try:
            digest = (
                approval_digest(post_id, form.approval_of(post_id), actor=self.actor, at=at) if form.is_valid() else ""
            )
        except Refusal:
            digest = ""
        if not digest:
            # The page itself says what is wrong with the form.
            return JsonResponse({"publicKey": None})
        keep_challenge(request, digest, at=at, actor=self.actor)
        options = signing_options(passkeys, digest=digest, site=signing_site(request))
        return JsonResponse({"publicKey": options})
