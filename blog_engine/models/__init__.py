"""The models. Other packages import them from here."""

from blog_engine.models._triggers import keep_triggers
from blog_engine.models.author import Author, Coauthor
from blog_engine.models.base import AppendOnly, AppendOnlyViolation, DirectWrite
from blog_engine.models.conversation import Remark
from blog_engine.models.finding_code import FindingCode
from blog_engine.models.history import (
    Approval,
    Baseline,
    ChainLink,
    Checkpoint,
    ConnectionDeclaration,
    HistoryPermit,
    Publication,
    Revision,
    StatusChange,
    WithheldVersion,
)
from blog_engine.models.house_style import HouseStyle
from blog_engine.models.idempotency import IdempotencyKey
from blog_engine.models.image import EmbeddedImage, Image, UploadTicket
from blog_engine.models.post import UNDATED, Faq, NamedAuthor, Post, Translation, before_end, when_public
from blog_engine.models.proposal import Proposal, ProposalEvent
from blog_engine.models.records import ApiToken, ContentVersion, Delivery, PageView, PolicyPage, Redirect
from blog_engine.models.search import SearchEntry, SearchWord
from blog_engine.models.sent_form import SentForm
from blog_engine.models.signing import ApprovalKey, ApprovalSignature, Passkey
from blog_engine.models.taxonomy import Category, ListCount, PostTag, Series, Tag
from blog_engine.models.versions import DraftVersion, RemovedDraft

__all__ = [
    "UNDATED",
    "ApiToken",
    "AppendOnly",
    "AppendOnlyViolation",
    "Approval",
    "ApprovalKey",
    "ApprovalSignature",
    "Author",
    "Baseline",
    "Category",
    "ChainLink",
    "Checkpoint",
    "Coauthor",
    "ConnectionDeclaration",
    "ContentVersion",
    "Delivery",
    "DirectWrite",
    "DraftVersion",
    "EmbeddedImage",
    "Faq",
    "FindingCode",
    "HistoryPermit",
    "HouseStyle",
    "IdempotencyKey",
    "Image",
    "ListCount",
    "NamedAuthor",
    "PageView",
    "Passkey",
    "PolicyPage",
    "Post",
    "PostTag",
    "Proposal",
    "ProposalEvent",
    "Publication",
    "Redirect",
    "Remark",
    "RemovedDraft",
    "Revision",
    "SearchEntry",
    "SearchWord",
    "SentForm",
    "Series",
    "StatusChange",
    "Tag",
    "Translation",
    "UploadTicket",
    "WithheldVersion",
    "before_end",
    "keep_triggers",
    "when_public",
]
