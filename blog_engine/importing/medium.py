"""Medium: the archive of *Download your information* in its settings, with an HTML file for each post."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from lxml import etree

from blog_engine.importing.data import FileRefused
from blog_engine.importing.exported_html import (
    Tree,
    export_files,
    file_of_url,
    images_in,
    inner_html,
    moment,
    read_tree,
    tree_words,
    with_class,
)
from blog_engine.importing.old_blog import is_web, split_or_none
from blog_engine.importing.source import (
    ImageUse,
    Item,
    Losses,
    LossKind,
    Omitted,
    Source,
    SourcePost,
    SourceRefused,
    SourceStatus,
)

_FILE: Final = re.compile(r"(?:(draft)|\d{4}-\d{2}-\d{2})?_?(.*?)-{0,3}([0-9a-f]{8,12})")
"""The name of a file: whether it is a draft, its title and the id of the post."""
_LAST_OF_URL: Final = re.compile(r"(?:/|^)(?:([^/]*)-)?([0-9a-f]{8,12})/?$")
_IMAGE: Final = re.compile(r"//(?:cdn-images-\d\.medium\.com|miro\.medium\.com)/[^\s\"']*?(\d\*[\w-]+\.\w{2,5})")
_ORIGINAL: Final = "https://cdn-images-1.medium.com/max/2560/{}"
_PROFILE: Final = re.compile(r"https?://medium\.com/@[\w.-]+")
_HEADINGS: Final = {"h1": "h2", "h2": "h2", "h3": "h2", "h4": "h3"}
"""The title of a post is no heading of its body here."""


def open_medium(path: Path, *, url: str | None, media: Path | None) -> Source:
    """Return the posts in an export: its archive, unpacked, or the folder.

    ``url`` is that of the blog if it had a domain of its own, default: the profile at medium.com; ``media`` is a folder
    with its images. Raises ``SourceRefused``.
    """
    files = [file for file in export_files(path, ".html") if file.parent.name == "posts"]
    files = files or [file for file in export_files(path, ".html") if file.parent == path.resolve()]
    if not files:
        raise SourceRefused(f"{path}: no posts of Medium (posts/*.html) are in it.")
    site = url.rstrip("/") if url else _profile(files)
    host = urlsplit(site).hostname if site else None
    # All profiles have one host.
    blog = f"{host}{urlsplit(site).path}" if site and host == "medium.com" else host
    return _Medium(files, site, blog or path.name, media)


def _profile(files: list[Path]) -> str | None:
    """Return the profile of the author of the first post that names one."""
    for file in files:
        try:
            tree = read_tree(file)
        except FileRefused:
            continue
        found = (_PROFILE.match(link.get("href", "")) for link in with_class(tree, "p-author"))
        if profile := next(filter(None, found), None):
            return profile[0]
    return None


@dataclass(slots=True)
class _Medium:
    files: list[Path]
    url: str | None
    blog: str
    media: Path | None
    system: str = field(default="medium", init=False)
    sought: str = field(default="Posts are the HTML files in posts of the archive that Medium sends.", init=False)

    def items(self) -> Iterator[Item]:
        for file in self.files:
            try:
                tree = read_tree(file)
            except FileRefused as fault:
                yield Omitted(file.stem, file.stem, "post that cannot be read", file.name, unreadable=str(fault))
                continue
            yield from self._entry(file, tree)

    def image_file(self, url: str) -> Path | None:
        return file_of_url(self.media, url)

    def _entry(self, file: Path, tree: Tree) -> Iterator[Item]:
        title = tree_words(next(iter(with_class(tree, "p-name")), None))
        body = next(iter(with_class(tree, "e-content")), None)
        identifier, slug, canonical = _names(file, tree)
        if body is None:
            yield Omitted(identifier, title or file.stem, "file that is no post", file.name, canonical)
        elif _is_response(tree, body, title):
            yield Omitted(identifier, title, "response to a post", file.name, canonical)
        else:
            yield from self._post(file, tree, body, title, (identifier, slug, canonical))

    def _post(
        self, file: Path, tree: Tree, body: Tree, title: str, names: tuple[str, str, str | None]
    ) -> Iterator[Item]:
        losses = Losses()
        identifier, slug, canonical = names
        time = next(iter(with_class(tree, "dt-published")), None)
        is_draft = file.name.startswith("draft") or time is None
        published = moment(time.get("datetime", "")) if time is not None and not is_draft else None
        if not is_draft and published is None:
            losses.add(LossKind.DATE, "It has no date that can be read.")
        subtitle = tree_words(next(iter(with_class(tree, "p-summary")), None))
        cover, social = _take_cover(body)
        _simplify(body, title, subtitle, losses)
        html = inner_html(body)
        if not title:
            title = tree_words(body)[:80].strip() or f"Post {identifier}"
            losses.add(LossKind.FIELD, f"It had no title: it is called “{title}” after its first words.")
        author = next(iter(with_class(tree, "p-author")), None)
        pictures = "".join(f' "{use.url}"' for use in (cover, social) if use)
        yield from images_in(html + pictures, _IMAGE, [_ORIGINAL])
        yield SourcePost(
            source_id=identifier,
            title=title,
            body=html,
            body_format="html",
            status=SourceStatus.DRAFT if is_draft else SourceStatus.PUBLISHED,
            where=file.name,
            slug=slug or None,
            url=None if is_draft else canonical,
            link_names=(f"https://medium.com/p/{identifier}",),
            published_at=published,
            published_evidence=f"Medium export {file.name}: dt-published" if published else None,
            author=tree_words(author) or None,
            tags=tuple(filter(None, map(tree_words, with_class(tree, "p-tag")))),
            description=subtitle or None,
            cover=cover,
            social_image=social,
            feed_id=None if is_draft else f"https://medium.com/p/{identifier}",
            base=canonical if canonical and is_web(canonical) else "",
            losses=tuple(losses.found),
        )


def _names(file: Path, tree: Tree) -> tuple[str, str, str | None]:
    """Return the id and the slug of a post, and its URL."""
    link = next(iter(with_class(tree, "p-canonical")), None)
    canonical = link.get("href") if link is not None else None
    parts = split_or_none(canonical or "")
    last = _LAST_OF_URL.search(unquote(parts.path)) if parts else None
    named = _FILE.fullmatch(file.stem)
    footers = (split_or_none(one.get("href", "")) for footer in tree.iter("footer") for one in footer.iter("a"))
    short = (found[1] for parts in footers if parts and (found := re.fullmatch(r"/p/(\w+)", parts.path)))
    identifier = next(short, None) or (last[2] if last else None) or (named[3] if named else file.stem)
    slug = (last[1] if last else None) or ""
    return identifier, slug, canonical


def _is_response(tree: Tree, body: Tree, title: str) -> bool:
    """Return whether it is a response: it has no title of its own, so Medium calls it after its first words."""
    if with_class(tree, "p-tag", "p-summary", "graf--title") or body.find(".//h3") is not None:
        return False
    first = tree_words(next(iter(with_class(body, "graf--leading")), None))
    shown = title.rstrip("…. ")
    return bool(shown) and first.startswith(shown) and bool(with_class(tree, "dt-published"))


def _take_cover(body: Tree) -> tuple[ImageUse | None, ImageUse | None]:
    """Return the featured image as cover if it begins the post without a caption, else as the social image."""
    images = [one for one in body.iter("img") if one.get("data-is-featured") == "true" and one.get("src")]
    if not images:
        return None, None
    use = ImageUse(url=images[0].get("src"), alt=" ".join(images[0].get("alt", "").split()))
    figure = next(images[0].iterancestors("figure"), None)
    grafs = [
        one
        for one in with_class(body, "graf")
        if not {"graf--title", "graf--subtitle"} & set(one.get("class", "").split())
    ]
    if figure is not None and grafs[:1] == [figure] and not tree_words(figure):
        figure.drop_tree()
        return use, None
    return None, use


def _simplify(body: Tree, title: str, subtitle: str, losses: Losses) -> None:
    """Leave out what the page shows besides the body: its title, its subtitle and the line before the first part."""
    for element in with_class(body, "graf--title", "graf--subtitle"):
        if tree_words(element) in (title, subtitle):
            element.drop_tree()
    for divider in with_class(body, "section-divider")[:1]:
        divider.drop_tree()
    for script in list(body.iter("script")):
        src = script.get("src", "")
        if is_web(src):
            url = src.removesuffix(".js")
            link = etree.SubElement(etree.Element("div"), "a", href=url)
            link.text, link.tail = url, script.tail
            script.getparent().replace(script, link)
            losses.add(LossKind.EMBED, f"Content of another site is a link now: {url}")
    for element in list(body.iter(*_HEADINGS)):
        element.tag = _HEADINGS[element.tag]
    for anchor in with_class(body, "js-mixtapeImage"):
        # An empty link beside that of the card.
        anchor.drop_tree()
    for anchor in with_class(body, "markup--mixtapeEmbed-anchor"):
        anchor.attrib.pop("title", None)
        for words in anchor.findall("em"):
            words.tail = f" {words.tail or ''}"
