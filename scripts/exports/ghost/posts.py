"""What the Ghost of ``make`` contains: short texts that use every part of its editor."""

import json
import struct
import zlib

AUTHOR = {
    "id": "64d7a2a1b3c4d5e6f7a8b9c0",
    "slug": "rita",
    "name": "Rita Rower",
    "email": "rita@example.test",
    "bio": "Rows before breakfast.",
    "website": "https://rita.example/",
}


def picture(width, height, color):
    """Return a small PNG of one color."""
    rows = b"".join(b"\0" + bytes(color) * width for _ in range(height))

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def silence():
    """Return a very short WAV."""
    samples = b"\x80" * 80
    return (
        b"RIFF"
        + struct.pack("<I", 36 + len(samples))
        + b"WAVEfmt "
        + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8)
        + b"data"
        + struct.pack("<I", len(samples))
        + samples
    )


def uploads():
    """Return the files, each with the part of the API that takes it, its bytes and its type."""
    return {
        "boat.png": ("images", picture(1400, 700, (20, 90, 160)), "image/png"),
        "oar.png": ("images", picture(600, 400, (160, 110, 40)), "image/png"),
        "lake.png": ("images", picture(600, 400, (30, 130, 110)), "image/png"),
        "cover one.png": ("images", picture(900, 450, (200, 60, 60)), "image/png"),
        "bell.wav": ("media", silence(), "audio/wav"),
        "plan.pdf": (
            "files",
            b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n",
            "application/pdf",
        ),
    }


def members():
    """Return the people who get the newsletter."""
    return [{"email": "reader@example.test", "name": "A Reader"}]


def text(words, mark=0):
    return {
        "type": "extended-text",
        "version": 1,
        "detail": 0,
        "format": mark,
        "mode": "normal",
        "style": "",
        "text": words,
    }


def node(kind, *children, **more):
    return {
        "type": kind,
        "version": 1,
        "direction": "ltr",
        "format": "",
        "indent": 0,
        "children": list(children),
    } | more


def paragraph(*children):
    return node("paragraph", *[text(one) if isinstance(one, str) else one for one in children])


def heading(level, words):
    return node("extended-heading", text(words), tag=f"h{level}")


def link(url, words):
    return node("link", text(words), url=url, rel=None, target=None, title=None)


def items(kind, *children):
    tag = "ol" if kind == "number" else "ul"
    return node("list", *children, listType=kind, start=1, tag=tag)


def item(*children, value=1):
    return node("listitem", *[text(one) if isinstance(one, str) else one for one in children], value=value)


def card(kind, **more):
    return {"type": kind, "version": 1} | more


def lexical(*children):
    return json.dumps({"root": node("root", *children)}, ensure_ascii=False)


EVERYONE = {"web": {"nonMember": True, "memberSegment": "status:free,status:-free"}, "email": {"memberSegment": ""}}
MEMBERS = {"web": {"nonMember": False, "memberSegment": "status:free,status:-free"}, "email": {"memberSegment": ""}}


def posts(base, files, owner, version):
    """Return the posts in the form of the Admin API."""
    bold, italic, strike, code, below, above, marked = 1, 2, 4, 16, 32, 64, 128
    written = [
        {
            "title": "Every text",
            "slug": "every-text",
            "lexical": lexical(
                paragraph(
                    "A ",
                    text("bold", bold),
                    " and an ",
                    text("italic", italic),
                    " word, ",
                    text("both", bold | italic),
                    ", ",
                    text("struck", strike),
                    ", ",
                    text("code", code),
                    ", H",
                    text("2", below),
                    "O, x",
                    text("3", above),
                    ", ",
                    text("marked", marked),
                    ".",
                ),
                heading(2, "Links"),
                paragraph(
                    "See ",
                    link(f"{base}/pictures/", "the pictures"),
                    ", ",
                    link(f"{base}/pictures/#boats", "a place in them"),
                    ", ",
                    link("https://example.org/a?b=1&c=2", "another site"),
                    " and ",
                    link("#links", "up"),
                    ".",
                ),
                heading(3, "Lists"),
                items(
                    "bullet", item("One"), item("Two", value=2), item(items("bullet", item("Two and a half")), value=3)
                ),
                items("number", item("First"), item("Second", value=2)),
                node("extended-quote", text("Row slowly.")),
                node("aside", text("A louder quotation.")),
                card("horizontalrule"),
                card(
                    "codeblock",
                    code="def row(times):\n    return '<oar>' * times\n",
                    language="python",
                    caption="How to <b>row</b>",
                ),
                card("codeblock", code="plain & simple", language="", caption=""),
                node("paragraph", text("A line"), {"type": "linebreak", "version": 1}, text("and the next.")),
            ),
        },
        {
            "title": "Pictures",
            "slug": "pictures",
            "feature_image": files["cover one.png"],
            "feature_image_alt": "A red square",
            "feature_image_caption": "Painted by <em>Olga</em>",
            "lexical": lexical(
                paragraph("Two boats."),
                card(
                    "image",
                    src=files["boat.png"],
                    width=1400,
                    height=700,
                    title="Blue",
                    alt="A blue boat",
                    caption="The <em>blue</em> boat",
                    cardWidth="wide",
                    href="",
                ),
                card(
                    "image",
                    src=files["oar.png"],
                    width=600,
                    height=400,
                    title="",
                    alt="",
                    caption="",
                    cardWidth="regular",
                    href="https://example.org/oars",
                ),
                card(
                    "gallery",
                    version=1,
                    caption="On the lake",
                    images=[
                        {
                            "row": 0,
                            "fileName": "oar.png",
                            "src": files["oar.png"],
                            "width": 600,
                            "height": 400,
                            "alt": "An oar",
                        },
                        {
                            "row": 0,
                            "fileName": "lake.png",
                            "src": files["lake.png"],
                            "width": 600,
                            "height": 400,
                            "alt": "A lake",
                        },
                    ],
                ),
            ),
        },
        {
            "title": "Cards",
            "slug": "cards",
            "lexical": lexical(
                card(
                    "bookmark",
                    url="https://example.org/boats",
                    caption="Worth a visit",
                    metadata={
                        "icon": "https://example.org/icon.png",
                        "title": "Boats & more",
                        "description": "All about boats.",
                        "author": "B. Boat",
                        "publisher": "Example",
                        "thumbnail": "https://example.org/thumb.png",
                    },
                ),
                card(
                    "embed",
                    url="https://www.youtube.com/watch?v=aqz-KE-bpKQ",
                    embedType="video",
                    caption="A film",
                    html='<iframe width="200" height="113" src="https://www.youtube.com/embed/aqz-KE-bpKQ?feature=oembed"'
                    ' title="Boat film" allowfullscreen></iframe>',
                    metadata={"title": "Boat film"},
                ),
                card(
                    "embed",
                    url="https://twitter.example/olga/status/1",
                    embedType="rich",
                    caption="",
                    html='<blockquote class="twitter-tweet"><p>Rowing today.</p>&mdash; Olga'
                    ' <a href="https://twitter.example/olga/status/1">Monday</a></blockquote>'
                    '<script async src="https://platform.example/widgets.js"></script>',
                    metadata={},
                ),
                card("callout", calloutText="<p>Wear a <b>vest</b>.</p>", calloutEmoji="⚓", backgroundColor="blue"),
                card("toggle", heading="<span>More?</span>", content="<p>Yes, <i>more</i>.</p>"),
                card("button", buttonText="Buy an oar", alignment="center", buttonUrl="https://example.org/buy"),
                card(
                    "product",
                    productImageSrc=files["oar.png"],
                    productImageWidth=600,
                    productImageHeight=400,
                    productTitle="<span>Oar</span>",
                    productDescription="<p>Made of ash.</p>",
                    productRatingEnabled=True,
                    productStarRating=4,
                    productButtonEnabled=True,
                    productButton="Order",
                    productUrl="https://example.org/oar",
                ),
                card(
                    "file",
                    src=files["plan.pdf"],
                    fileTitle="The plan",
                    fileCaption="Of a dinghy",
                    fileName="plan.pdf",
                    fileSize=90,
                ),
                card(
                    "audio", src=files["bell.wav"], title="A bell", duration=1.0, mimeType="audio/wav", thumbnailSrc=""
                ),
                card(
                    "video",
                    src=f"{base}/content/media/2024/01/row.mp4",
                    caption="Rowing",
                    fileName="row.mp4",
                    duration=3,
                    width=640,
                    height=360,
                    thumbnailSrc=files["lake.png"],
                    thumbnailWidth=600,
                    thumbnailHeight=400,
                    mimeType="video/mp4",
                    cardWidth="regular",
                    loop=False,
                    customThumbnailSrc="",
                ),
                card(
                    "header",
                    version=2,
                    size="small",
                    style="dark",
                    buttonEnabled=True,
                    buttonUrl="https://example.org/go",
                    buttonText="Go",
                    header="<span>A header</span>",
                    subheader="<span>with a line below</span>",
                    backgroundImageSrc="",
                    accentColor="#000000",
                    alignment="center",
                    backgroundColor="#000000",
                    backgroundImageWidth=None,
                    backgroundImageHeight=None,
                    backgroundSize="cover",
                    textColor="#FFFFFF",
                    buttonColor="#ffffff",
                    buttonTextColor="#000000",
                    layout="full",
                    swapped=False,
                ),
                card(
                    "signup",
                    alignment="left",
                    backgroundColor="#F0F0F0",
                    backgroundImageSrc="",
                    backgroundSize="cover",
                    textColor="#000000",
                    buttonColor="accent",
                    buttonTextColor="#FFFFFF",
                    buttonText="Subscribe",
                    disclaimer="<span>No spam.</span>",
                    header="<span>Sign up</span>",
                    labels=[],
                    layout="wide",
                    subheader="<span>For news of boats</span>",
                    successMessage="Thank you",
                    swapped=False,
                ),
                card("email", html="<p>Hello {first_name}, only mail shows this.</p>"),
                paragraph("The end."),
            ),
        },
        {
            "title": "Own HTML",
            "slug": "own-html",
            "lexical": lexical(
                card(
                    "html",
                    html="<table><tr><th>Boat</th><th>Oars</th></tr><tr><td>Dinghy</td><td>2</td></tr></table>\n"
                    '<form action="/x"><input name="q"></form>',
                    visibility=EVERYONE,
                ),
                card(
                    "markdown",
                    markdown="## From Markdown\n\n- [x] *done*\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
                    "A note[^1].\n\n[^1]: The note.",
                ),
                card("html", html="<p>Only members read this line.</p>", visibility=MEMBERS),
            ),
        },
        {
            "title": "Everything else",
            "slug": "everything-else",
            "featured": True,
            "custom_excerpt": "What the other fields hold.",
            "canonical_url": "https://canonical.example/everything",
            "meta_title": "Everything for engines",
            "meta_description": "A description for engines.",
            "og_image": files["lake.png"],
            "og_title": "Everything, shared",
            "og_description": "A shared description.",
            "twitter_title": "Everything, short",
            "codeinjection_head": "<style>.x{color:red}</style>",
            "codeinjection_foot": "<script>1</script>",
            "published_at": "2021-03-04T05:06:07.000Z",
            "tags": [
                {"name": "#secret"},
                {"name": "Boats & Oars"},
                {"name": "C++"},
                {"name": "Lakes", "description": "Water"},
            ],
            "authors": [{"id": AUTHOR["id"]}, {"id": owner}],
            "lexical": lexical(paragraph("See ", link(f"{base}/every-text/", "every text"), ".")),
        },
        {
            "title": "For members",
            "slug": "for-members",
            "visibility": "members",
            "lexical": lexical(paragraph("Free."), card("paywall"), paragraph("For members.")),
        },
        {
            "title": "For payers",
            "slug": "for-payers",
            "visibility": "paid",
            "lexical": lexical(paragraph("For payers.")),
        },
        {"title": "By mail", "slug": "by-mail", "mail": True, "lexical": lexical(paragraph("Only by mail."))},
        {
            "title": "Next century",
            "slug": "next-century",
            "status": "scheduled",
            "published_at": "2099-12-31T10:00:00.000Z",
            "lexical": lexical(paragraph("Later.")),
        },
        {"title": "Unfinished", "slug": "unfinished", "status": "draft", "lexical": lexical(paragraph("Not yet."))},
        {"title": "Empty", "slug": "empty", "lexical": lexical(paragraph())},
        {
            "title": "Überfahrt 北京 🚣",
            "published_at": "1999-12-31T23:59:59.000Z",
            "tags": [{"name": "Reisen"}],
            "lexical": lexical(paragraph("Über das Wasser nach 北京 🚣.")),
        },
        {
            "title": "From HTML",
            "slug": "from-html",
            "query": "?source=html",
            "html": "<h2>Written elsewhere</h2><p>With a <a href='https://example.org'>link</a>.</p>"
            "<ul><li>and</li><li>a list</li></ul>",
        },
        {
            "title": "A preview",
            "slug": "a-preview",
            "lexical": lexical(paragraph("All of it."), card("paywall"), paragraph("Public.")),
        },
    ]
    if version == "6":
        written.append(
            {
                "title": "Call",
                "slug": "call",
                "lexical": lexical(
                    card(
                        "call-to-action",
                        layout="minimal",
                        textValue="<p>Try <strong>rowing</strong>.</p>",
                        showButton=True,
                        buttonText="Try",
                        buttonUrl="https://example.org/try",
                        buttonColor="#000000",
                        buttonTextColor="#ffffff",
                        hasSponsorLabel=True,
                        sponsorLabel="<p>SPONSORED</p>",
                        backgroundColor="grey",
                        imageUrl=files["oar.png"],
                        imageWidth=600,
                        imageHeight=400,
                        visibility=EVERYONE,
                        showDividers=True,
                        linkColor="text",
                        alignment="left",
                    )
                ),
            }
        )
    else:
        written.append(
            {
                "title": "Old editor",
                "slug": "old-editor",
                "mobiledoc": json.dumps(
                    {
                        "version": "0.3.1",
                        "atoms": [["soft-return", "", {}]],
                        "cards": [
                            ["image", {"src": files["boat.png"], "alt": "A blue boat", "caption": "Blue"}],
                            ["markdown", {"markdown": "*From* Markdown"}],
                            ["hr", {}],
                            ["html", {"html": "<p>Own HTML</p>"}],
                            ["code", {"code": "row()", "language": "js"}],
                        ],
                        "markups": [["strong"], ["a", ["href", "https://example.org/"]], ["em"]],
                        "sections": [
                            [
                                1,
                                "p",
                                [
                                    [0, [0], 1, "Bold"],
                                    [0, [], 0, " and "],
                                    [0, [1], 1, "a link"],
                                    [1, [], 0, 0],
                                    [0, [2], 1, "next"],
                                ],
                            ],
                            [10, 0],
                            [10, 1],
                            [10, 2],
                            [10, 3],
                            [10, 4],
                            [1, "h2", [[0, [], 0, "A heading"]]],
                            [3, "ul", [[[0, [], 0, "One"]], [[0, [0], 1, "Two"]]]],
                            [3, "ol", [[[0, [], 0, "First"]]]],
                            [1, "blockquote", [[0, [], 0, "Quoted"]]],
                        ],
                    }
                ),
            }
        )
    return [{"status": "published"} | post for post in written]


def pages():
    """Return the pages in the form of the Admin API."""
    return [
        {"title": "About boats", "slug": "about-boats", "status": "published", "lexical": lexical(paragraph("We row."))}
    ]
