"""Agents that people connected by URL: whose, which client, what it may do, its last use; a button ends each."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _

from blog_engine.admin.base import ANY_OF_POSTS, DeskView, Permission, may
from blog_engine.conf import oauth_is_installed
from blog_engine.http.protected_resources import ProtectedResource, resource_url
from blog_engine.queries.oauth import MOST_CONNECTIONS, connections
from blog_engine.services.oauth import disconnect_agent


class DisconnectForm(forms.Form):
    """The connection that ends."""

    connection = forms.IntegerField(min_value=1, max_value=2**62)


class AgentsView(DeskView):
    """The connected agents: of everybody for users who manage tokens, and otherwise one's own (oauth.desk)."""

    permissions = (Permission.MANAGE_TOKENS, *ANY_OF_POSTS)

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show them, the last one first."""
        found = connections(now=self.now, user_id=self._whose()) if oauth_is_installed() else []
        return self.page(
            "agents.html",
            title=_("Connected agents"),
            connections=found,
            is_of_all=self._whose() is None,
            most=MOST_CONNECTIONS,
            endpoint=resource_url(request, ProtectedResource.AGENTS),
        )

    def post(self, request: HttpRequest) -> HttpResponse:
        """End one."""
        form = DisconnectForm(request.POST)
        if oauth_is_installed() and form.is_valid():
            if disconnect_agent(form.cleaned_data["connection"], now=self.now, user_id=self._whose()):
                messages.success(request, _("The agent was disconnected. It is refused from now on."))
            else:
                messages.warning(request, _("This agent is no longer connected."))
        return HttpResponseRedirect(self.url("agents"))

    def _whose(self) -> object:
        """Return the user whose agents are shown, or ``None`` for all."""
        return None if may(self.request, Permission.MANAGE_TOKENS) else self.request.user.pk
