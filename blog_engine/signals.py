"""Signals for hosts, sent after the commit (host.signals).

The sender is ``Post``; the arguments are ``post``, ``actor`` (``None`` for a scheduled release) and ``outcome``, the
``Written`` result of the service.
"""

from django.dispatch import Signal

post_published = Signal()
post_updated = Signal()
post_unpublished = Signal()
post_removed = Signal()
approval_recorded = Signal()
proposal_made = Signal()
"""``outcome.proposal`` is the id of the new proposal."""
review_requested = Signal()
review_returned = Signal()
"""``outcome.remark`` is the entry of the conversation, as of ``review_requested`` (reviews.signals)."""
