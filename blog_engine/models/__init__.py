"""The models. Other packages import them from here."""

from blog_engine.models._table_rebuilds import keep_triggers
from blog_engine.models.author import Author
from blog_engine.models.base import AppendOnly, AppendOnlyViolation, DirectWrite
from blog_engine.models.content_version import ContentVersion
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
)
from blog_engine.models.post import UNDATED, Faq, Post, when_public
from blog_engine.models.search import SearchEntry, SearchWord
from blog_engine.models.supporting import ApiToken, EmbeddedImage, Image, PageView, PolicyPage, Redirect
from blog_engine.models.taxonomy import Category, ListCount, PostTag, Series, Tag

__all__ = [
    "UNDATED",
    "ApiToken",
    "AppendOnly",
    "AppendOnlyViolation",
    "Approval",
    "Author",
    "Baseline",
    "Category",
    "ChainLink",
    "Checkpoint",
    "ConnectionDeclaration",
    "ContentVersion",
    "DirectWrite",
    "EmbeddedImage",
    "Faq",
    "HistoryPermit",
    "Image",
    "ListCount",
    "PageView",
    "PolicyPage",
    "Post",
    "PostTag",
    "Publication",
    "Redirect",
    "Revision",
    "SearchEntry",
    "SearchWord",
    "Series",
    "StatusChange",
    "Tag",
    "keep_triggers",
    "when_public",
]
