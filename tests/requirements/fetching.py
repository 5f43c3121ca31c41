"""Images from other servers."""

from tests.requirements.rule import R

RULES = [
    R(
        "fetch:addresses",
        "records.md 9",
        "http and https only, without user info and without percent signs in the host; the fragment is dropped.",
    ),
    R("fetch:public-only", "service.md 4.1", "Private and other nonpublic addresses are refused at every hop."),
    R(
        "fetch:every-address",
        "records.md 9",
        "Every resolved address must be public, by the listed ranges of IPv4 and IPv6.",
    ),
    R(
        "fetch:open",
        "service.md 4.1",
        "With image_fetch_policy open internal servers are permitted; the other limits remain.",
    ),
    R(
        "fetch:pinned",
        "records.md 9",
        "The connection goes to the address that was checked; TLS is verified against the host name.",
    ),
    R("fetch:direct", "records.md 9", "No proxy, no second attempt, no content encoding."),
    R("fetch:deadline", "service.md 8", "Ten seconds for look-up, redirects and body together."),
    R("fetch:redirects", "service.md 8", "At most three redirects; one without a usable Location is refused."),
    R("fetch:size", "records.md 9", "The limit counts while reading, for the bodies of redirects too."),
    R(
        "fetch:answer",
        "records.md 9",
        "The final status must be 2xx; the bytes are verified, and the Content-Type of the answer counts for nothing.",
    ),
    R("fetch:filename", "records.md 9", "The file name is the last part of the path that answered, else image."),
    R("fetch:discreet", "records.md 3", "Nobody learns why an address was not fetched; nothing secret is logged."),
]
