"""What a search finds, on both databases."""

from tests.requirements.rule import R

RULES = [
    R("search:folding", "decisions.md 10.10", "Case, accents and width are folded."),
    R("search:last-word", "decisions.md 10.10", "The last word also finds words that begin with it."),
    R("search:any-word", "decisions.md 10.10", "Readers who find no post with all words get posts with any of them."),
    R(
        "search:ranking",
        "decisions.md 10.10",
        "Phrase in the title, title, description, FAQ, body; then by date.",
    ),
    R("search:spaceless", "decisions.md 10.10", "Scripts that are written without spaces are searched by substring."),
    R("search:quotes", "decisions.md 10.10", "Quotes ask for the phrase."),
    R("search:minus", "decisions.md 10.10", "A leading minus excludes a word or phrase."),
    R("search:forms", "decisions.md 10.10", "Inflected, compound and misspelt words are found, below exact ones."),
    R("search:corpus", "decisions.md 10.10", "Five of six targets of the corpus are among the first three results."),
    R("search:index", "decisions.md 10.10", "An index answers; no search reads all posts."),
    R("search:snippet", "decisions.md 10.10", "A result shows a passage with the hits marked, as text."),
    R("search:nothing", "decisions.md 10.10", "Where nothing is found, popular posts are offered, else the newest."),
]
