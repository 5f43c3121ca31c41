"""The people and posts of the desk that a browser opens."""

from datetime import UTC, datetime, timedelta
from io import StringIO

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.urls import reverse

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.inputs.base import parse
from blog_engine.inputs.conversation import AddRemark, AnswerRemark, RequestReview, ResolveRemark, ReturnReview
from blog_engine.inputs.images import ImageBytes, UploadImage
from blog_engine.inputs.posts import PostRef
from blog_engine.inputs.records import SavePage
from blog_engine.management.sample import make_samples, winter_garden
from blog_engine.models import ApiToken, Author, Category, Image, PageView, PolicyPage, Post, Redirect, Series, Tag
from blog_engine.queries.versions import versions_of
from blog_engine.services.tokens import create_token
from tests.browser.chromium import PASSWORD
from tests.support.factories import apply, approve, propose, reject, remove, save, update, withdraw

PEOPLE = {"wanda": ("Wanda Writer", "Writers"), "erik": ("Erik Editor", "Editors"), "ines": ("Ines Editor", "Editors")}
_AGENT = Actor("Drafting agent", scopes=["read", "write"])
_ERIK = Actor("Erik Editor")
_BODY = """The gauge at the steps is the one that counts.

| Hour | Level |
| --- | --- |
| 06:00 | 1.20 m |
| 12:00 | 3.45 m |

## What it measures

It measures the *level*, not the weather. See [the index](/blog/).
"""

_TIDES = """High water comes twice a day.

Wait at the steps until the flag is up.

The ferry leaves at eight.
"""


def make() -> dict[str, str]:
    """Make people, posts and records, and return the path of each screen of the desk."""
    now = datetime.now(tz=UTC)
    call_command("create_blog_groups", stdout=StringIO())
    for username, (name, group) in PEOPLE.items():
        first, _, last = name.partition(" ")
        user = get_user_model().objects.create_user(
            username, password=PASSWORD, first_name=first, last_name=last, is_staff=True
        )
        user.groups.add(Group.objects.get(name=group))
    get_user_model().objects.create_superuser("root", password=PASSWORD)
    make_samples(now=now)
    cover = services.store_image(
        UploadImage(file=ImageBytes(data=winter_garden(), filename="garden.png", content_type="image/png")),
        actor=_ERIK,
        now=now,
    )
    public = _public(cover, now=now)
    draft = save(title="What the gauge says", body=_BODY, made_by_ai=True, actor=_AGENT, now=now).post
    asked = save(title="A letter to the harbour", body=_BODY, actor=_AGENT, now=now).post
    services.request_review(PostRef(id=str(asked.pk)), actor=Actor("Wanda Writer"), now=now)
    talked = save(title="What the gauge says at night", body=_BODY, actor=_AGENT, now=now - timedelta(days=1)).post
    _talk(talked, cover, now=now)
    tomorrow = (now + timedelta(days=1)).isoformat()
    back = save(title="The steps at night", body=_BODY, actor=_AGENT, now=now).post
    about = {"id": str(back.pk)}
    said = AddRemark(**about, text="Is it still there?", passage="The gauge at the steps is the one that counts.")
    services.add_remark(said, actor=_ERIK, now=now)
    services.return_review(ReturnReview(**about, note="A source for the levels, please."), actor=_ERIK, now=now)
    scheduled = save(title="Tomorrow at the quay", body=_BODY, publish=True, publish_at=tomorrow, now=now).post
    for place, title in ((2, "The harbour in spring"), (3, "The harbour in summer")):
        save(title=title, series="The year at the quay", series_position=place, now=now)
    services.save_page(
        parse(SavePage, {"kind": "editorial", "title": "How we work", "body": _BODY, "status": "published"}),
        actor=_ERIK,
        now=now,
    )
    Redirect.objects.create(old_path="/old", old_key="old", new_path="/blog/", source="manual", occurred_on=now.date())
    create_token("Drafting agent", now=now)
    for day in range(30):
        PageView.objects.create(post=public, day=now.date() - timedelta(days=day), views=(day * 7) % 23)
    more = _proposals(now=now) | _overwritten(now=now)
    pages = _paths(public=public, draft=draft, asked=asked, talked=talked, back=back, scheduled=scheduled)
    return pages | more


def _public(cover: Image, *, now: datetime) -> Post:
    """A public post that was approved, corrected and changed since."""
    post = save(
        title="The harbour in winter",
        slug="harbour-in-winter",
        description="What the harbour does while no boat sails.",
        body=_BODY,
        category="Harbour",
        series="The year at the quay",
        series_position=1,
        tags=["quay", "winter"],
        cover_image={"image_id": cover.pk},
        cover_alt="A garden under snow",
        faq=[{"question": "When is high water?", "answer": "At noon."}],
        provenance="ai_assisted",
        made_by_ai=True,
        publish=True,
        actor=_ERIK,
        now=now - timedelta(days=3),
    ).post
    approve(post, now=now - timedelta(days=3))
    return update(
        post,
        body=_BODY.replace("3.45 m", "3.54 m"),
        change="correction",
        note="The level at noon was wrong.",
        actor=_ERIK,
        now=now - timedelta(days=1),
    ).post


def _talk(post: Post, cover: Image, *, now: datetime) -> None:
    """Ask for a review of a post with a cover; remark on it, on words that are there and on words that are gone."""
    wanda, post_id = Actor("Wanda Writer", id="user:1"), str(post.pk)
    gone = AddRemark(id=post_id, text="Which steps?", passage="at the steps")
    services.add_remark(gone, actor=_ERIK, now=now - timedelta(hours=2))
    update(
        post,
        body=_BODY.replace("at the steps", "at the white steps"),
        cover_image={"image_id": cover.pk},
        cover_alt="A garden under snow",
        actor=_AGENT,
        now=now - timedelta(hours=1),
    )
    ask = RequestReview(id=post_id, note="Please look at the levels.", person="erik")
    services.request_review(ask, actor=wanda, now=now)
    quoted = AddRemark(id=post_id, text="Says who?", passage="It measures the level, not the weather.")
    said = services.add_remark(quoted, actor=_ERIK, now=now).remark
    settled = services.add_remark(AddRemark(id=post_id, text="The title is long."), actor=_ERIK, now=now).remark
    assert said is not None
    assert settled is not None
    services.answer_remark(AnswerRemark(id=post_id, remark=said.pk, text="The harbour office."), actor=wanda, now=now)
    services.resolve_remark(ResolveRemark(id=post_id, remark=settled.pk), actor=wanda, now=now)


def _proposals(*, now: datetime) -> dict[str, str]:
    """A public post with proposals in every state; return the paths of their screens."""
    post = save(title="Tides for visitors", body=_TIDES, tags=["quay"], publish=True, now=now - timedelta(days=2)).post
    correction = {"change": "correction", "note": "The ferry leaves at nine, not at eight."}
    ferry = _TIDES.replace("at eight", "at nine")
    wanted = {
        "applied": {"body": _TIDES.replace("twice a day", "twice on most days"), "change": "maintenance"},
        "rejected": {"title": "Tides!", "change": "substantive"},
        "withdrawn": {"description": "All about tides.", "change": "maintenance"},
        "scheduled": {"category": "Harbour", "tags": ["quay", "ferry"]},
        "outdated": {"body": _TIDES.replace("the steps", "the pier"), "change": "maintenance"},
        "open": {"body": ferry, "title": "Tides for visitors and commuters", "made_by_ai": True, **correction},
    }
    made = {state: propose(post, actor=_AGENT, now=now - timedelta(days=1), **sent) for state, sent in wanted.items()}
    apply(made["applied"], actor=_ERIK, now=now)
    reject(made["rejected"], actor=_ERIK, now=now, reason="The headline promises more than the text has.")
    withdraw(made["withdrawn"], actor=_AGENT, now=now)
    apply(made["scheduled"], actor=_ERIK, now=now, publish_at=(now + timedelta(days=2)).isoformat())
    update(
        post,
        body=_TIDES.replace("twice a day", "twice on most days").replace("the steps", "the white steps"),
        change="maintenance",
        actor=_ERIK,
        now=now,
    )
    pages = {
        f"proposal_{state}": reverse("admin:blog_engine_post_proposal", args=(post.pk, pk))
        for state, pk in made.items()
    }
    pages |= {
        f"proposal_{step}": f"{pages[f'proposal_{state}']}{step}/"
        for step, state in (
            ("apply", "open"),
            ("schedule", "open"),
            ("reject", "open"),
            ("withdraw", "open"),
            ("cancel", "scheduled"),
            ("article", "open"),
        )
    }
    lists = {"proposals": reverse("admin:blog_engine_post_proposals")}
    lists["proposals_applied"] = f"{lists['proposals']}?state=applied"
    change = reverse("admin:blog_engine_post_change", args=(post.pk,))
    return pages | lists | {"propose": change, "tides_page": post.get_absolute_url()}


def _overwritten(*, now: datetime) -> dict[str, str]:
    """A draft with versions, and a removed one."""
    post = save(title="The lamp on the pier", body=_BODY, actor=_AGENT, now=now - timedelta(hours=2)).post
    update(post, body=f"{_BODY}\nIt is green.", actor=_ERIK, now=now - timedelta(hours=1))
    update(post, body=f"{_BODY}\nIt is red.", actor=_AGENT, now=now)
    remove(save(title="A draft that was removed", body=_BODY, now=now).post, now=now)
    version = versions_of(post.pk)[0].identifier

    def page(name: str, *arguments: object) -> str:
        return reverse(f"admin:blog_engine_{name}", args=arguments)

    return {
        "history_versions": page("post_history", post.pk),
        "version": page("post_revision", post.pk, version),
        "bin": page("post_bin"),
    }


def _paths(**posts: Post) -> dict[str, str]:
    public, draft = posts["public"], posts["draft"]

    def page(name: str, *arguments: object) -> str:
        return reverse(f"admin:blog_engine_{name}", args=arguments)

    def first(model: type) -> int:
        return int(model._default_manager.order_by("pk").values_list("pk", flat=True)[0])

    compared = f"{page('post_compare', public.pk)}?from=public&to=draft"
    paths = {
        "index": reverse("admin:index"),
        "posts": page("post_changelist"),
        "queue": page("post_queue"),
        "byline": page("post_byline"),
        "add": page("post_add"),
        "write": page("post_change", draft.pk),
        "write_public": page("post_change", public.pk),
        "write_scheduled": page("post_change", posts["scheduled"].pk),
        "write_back": page("post_change", posts["back"].pk),
        "ask_review": page("post_request_review", draft.pk),
        "conversation": page("post_conversation", posts["back"].pk),
        "publish": page("post_publish", draft.pk),
        "schedule": page("post_schedule", draft.pk),
        "withdraw": page("post_withdraw", public.pk),
        "remove": page("post_delete", public.pk),
        "review": page("post_review", public.pk),
        "review_asked": page("post_review", posts["asked"].pk),
        "review_talk": page("post_review", posts["talked"].pk),
        "history": page("post_history", public.pk),
        "revision": page("post_revision", public.pk, public.current_revision_identifier),
        "compare": compared,
        "views": page("post_views", public.pk),
        "blog_views": page("post_blog_views"),
        "disclosure": f"{page('post_disclosure')}?first=2000-01-01&last=2100-12-31",
        "doctor": page("post_doctor"),
        "report": page("post_report"),
        "cancel": page("post_cancel", posts["scheduled"].pk),
        "reschedule": page("post_schedule", posts["scheduled"].pk),
    }
    for model in (Image, Category, Tag, Series, Author):
        kind = str(model._meta.model_name)
        paths |= {f"{kind}_list": page(f"{kind}_changelist"), kind: page(f"{kind}_change", first(model))}
    for model in (Category, Tag, Series):
        kind = str(model._meta.model_name)
        paths |= {f"{kind}_{verb}": page(f"{kind}_{verb}", first(model)) for verb in ("merge", "delete")}
    paths |= {
        "series_order": page("series_order", first(Series)),
        "redirect_list": page("redirect_changelist"),
        "redirect_add": page("redirect_add"),
        "redirect": page("redirect_change", first(Redirect)),
        "author_add": page("author_add"),
        "policy_add": page("policypage_add"),
        "redirect_delete": page("redirect_delete", first(Redirect)),
        "image_add": page("image_add"),
        "policy": page("policypage_change", first(PolicyPage)),
        "token": page("apitoken_change", first(ApiToken)),
        "token_add": page("apitoken_add"),
        "token_revoke": page("apitoken_revoke", first(ApiToken)),
        "pick_image": page("post_pick_image"),
        "article": page("post_article", draft.pk),
    }
    paths |= {"policies": page("policypage_changelist"), "tokens": page("apitoken_changelist")}
    return paths | {"public_id": str(public.pk), "public_page": public.get_absolute_url()}
