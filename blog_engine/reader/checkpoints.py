"""The published checkpoints, as JSON (proof.published)."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from blog_engine.content.text import compact_json
from blog_engine.queries.checkpoints import checkpoint_with_number, newest_checkpoint
from blog_engine.reader.http import cacheable_response, conditional_response, mark_noindex
from blog_engine.reader.view import ReaderView
from blog_engine.rules.chain import described_checkpoint


class CheckpointView(ReaderView):
    """The checkpoint with a number, or the newest one."""

    def get(self, request: HttpRequest, *, number: str = "", **kwargs: Any) -> HttpResponseBase:
        checkpoint = checkpoint_with_number(int(number)) if number else newest_checkpoint()
        if checkpoint is None:
            return self.fallback()
        text = compact_json(described_checkpoint(checkpoint))
        response = HttpResponse(text, content_type="application/json")
        if not number:
            return mark_noindex(conditional_response(request, response))
        return mark_noindex(cacheable_response(request, response, modified=checkpoint.created_at))
