"""Images on their way to readers."""

from tests.requirements.rule import R

RULES = [
    R(
        "media:lookup",
        "reader.md 9",
        "/blog/media/:sha256/:filename finds by digest only; the name in the address is ignored.",
    ),
    R("media:missing", "reader.md 9", "An unknown digest and a lost file are 404 pages that nobody keeps."),
    R("media:redirect", "service.md 4.3", "Redirect delivery caches only as long as the storage URL stays valid."),
    R("media:day", "decisions.md 4", "It is a 302 to the storage's own URL; a plain MEDIA_URL lasts a day."),
    R("media:proxy", "service.md 8", "image_delivery proxy serves immutable bytes with a one-year cache lifetime."),
    R(
        "media:safe",
        "decisions.md 4",
        "proxy sends nosniff and a sandbox policy: what stands after the bytes of an image cannot run.",
    ),
    R(
        "media:streamed",
        "decisions.md 4",
        "proxy streams the bytes, also over ASGI: no file is read whole into memory.",
    ),
    R("media:conditional", "decisions.md 4", "proxy honours If-None-Match and single ranges."),
    R("media:widths", "decisions.md 4", "Variants are AVIF and WebP, 480, 768, 1200 and 1600 wide, never enlarged."),
    R("media:look", "decisions.md 4", "They are upright, in sRGB, and carry no metadata."),
    R(
        "media:made-once",
        "decisions.md 4",
        "They are made on the first request and kept in the storage; nobody gets a half-written one.",
    ),
    R(
        "media:no-waiting",
        "decisions.md 4",
        "A request for a variant never waits: while another image is decoded, it leads to the original.",
    ),
    R(
        "media:variants",
        "decisions.md 7.3",
        "/media/<sha256>/w<width>.<avif|webp> is delivered like an original; other widths are 404.",
    ),
    R(
        "media:pictures",
        "decisions.md 7.2",
        "Pages show images as <picture>: AVIF and WebP in srcset, a WebP fallback, width, height and sizes.",
    ),
    R("media:as-it-is", "decisions.md 7.2", "A small image and an animation are shown as they are."),
    R("media:cards", "service.md 4.3", "Cards use storage variants."),
    R("media:shared", "decisions.md 7.2", "og:image and image of the structured data are the original's absolute URL."),
    R("media:no-places", "decisions.md 3.22", "What pages show never carries metadata."),
    R("media:walls", "reader.md 1.3", "Images stand behind the host's parent class, too."),
]
