"""What an upgrade keeps."""

from tests.requirements.rule import R

RULES = [
    R(
        "upgrade:history",
        "decisions.md 4",
        "A database of the first release migrates forward with every row of its history unchanged, and still proves "
        "what is public.",
    ),
    R("upgrade:feed-ids", "decisions.md 10.7", "Posts that were ever public get their permanent feed id."),
    R("upgrade:protection", "decisions.md 4", "The history is protected at every step of the chain of migrations."),
    R(
        "upgrade:readers",
        "design.md 3",
        "Pages, redirects and search of an upgraded blog work; its posts can be rendered.",
    ),
]
