"""Terms in texts: words, cases, scripts, and how long it takes."""

from itertools import cycle, islice
from random import Random

import pytest

from blog_engine.content.terms import AvoidedTerm, Hits, TermFinder, prose_in_html
from tests.requirements import requirement
from tests.support.costs import takes_at_most


def found(text: str, *terms: str | tuple[str, str]) -> dict[str, int]:
    listed = [AvoidedTerm(*((term, "") if isinstance(term, str) else term)) for term in terms]
    return {listed[position].avoid: hits.number for position, hits in TermFinder(listed).hits(text).items()}


@requirement("style.terms.words")
@pytest.mark.parametrize(
    ("text", "term", "number"),
    [
        ("Please login here, then (login) again: login.", "login", 3),
        ("logins relogin login_name login2", "login", 0),
        ("a web-based web", "web", 2),
        ("click  here, click\u00a0here, click here", "click here", 3),
        ("click, here", "click here", 0),
        ("an e\u2011mail, an e\u2010mail, an e-mail", "e-mail", 3),
        ("don\u2019t and don't", "don't", 2),
        ("cafe\u0301 and caf\u00e9", "caf\u00e9", 2),
        ("cafe\u0301", "cafe", 0),
        ("C++, C++11 and ObjC++", "C++", 2),
        ("log\u00adin and log\u200bin", "login", 2),
        ("请登录以后登录", "登录", 2),
        ("使用login功能", "login", 1),
        ("로그인을 하다", "로그인", 1),
        ("GitHub를 본다", "GitHub", 1),
        ("ログインする", "ログイン", 1),
        ("เข้าสู่ระบบแล้ว", "ระบบ", 1),
        ("कला कल", "कल", 1),
        ("किताब कि", "कि", 1),
        ("x\u0327y x\u0327", "x\u0327", 1),
        ("\U00011305\U0001133ec \U00011305", "\U00011305", 1),
        ("日本 語と日本語", "日本語", 2),
        ("z.B. und z. B.", "z.B.", 1),
        ("and/or, and / or", "and / or", 1),
        ("e - mail", "e-mail", 0),
        ("السلام عليكم", "سلام", 0),
        ("", "login", 0),
        ("no term", "", 0),
    ],
)
def test_a_term_is_found_as_words(text: str, term: str, number: int) -> None:
    assert found(text, term).get(term, 0) == number


@requirement("style.terms.case")
def test_small_letters_are_any_case_and_capitals_only_themselves() -> None:
    assert found("Login LOGIN login", "login") == {"login": 3}
    assert found("Github github GITHUB GitHub", "Github") == {"Github": 1}
    assert found("It is IT, not it", "IT") == {"IT": 1}
    assert found("\u0130stanbul ISTANBUL", "istanbul") == {"istanbul": 2}


@requirement("style.terms.wanted")
@pytest.mark.parametrize(
    ("text", "terms", "expected"),
    [
        ("A web site on the web", [("web", "web site")], {"web": 1}),
        ("Web site", [("web", "web site")], {}),
        ("GitHub, Github and github", [("github", "GitHub")], {"github": 2}),
        ("website and Website", [("Website", "website")], {"Website": 1}),
        ("the admin desk and the admin", [("admin", "admin desk"), ("the admin", "")], {"the admin": 2}),
        ("u.a. und u. a.", [("u.a.", "u. a.")], {"u.a.": 1}),
        ("日本 語と日本語", [("日本 語", "日本語")], {}),
    ],
)
def test_the_words_to_use_are_no_fault(text: str, terms: list[tuple[str, str]], expected: dict[str, int]) -> None:
    assert found(text, *terms) == expected


def test_the_longest_term_is_found_and_none_overlap() -> None:
    assert found("log in to the log in page", "log", "log in", "log in page") == {"log in": 1, "log in page": 1}
    assert found("log inside", "log in", "log") == {"log": 1}


def test_a_passage_shows_the_words_around_the_first_occurrence() -> None:
    text = "The harbour master asks you to\nlogin before the ferry leaves the quay in the evening"

    assert TermFinder([AvoidedTerm("login")]).hits(text) == {0: Hits(1, "login before the ferry…")}


@requirement("style.terms.prose")
def test_prose_has_neither_code_nor_urls_nor_added_words() -> None:
    html = (
        '<h2 id="login">Log<em>in</em><a class="blog-heading-anchor" href="#login">login #</a></h2>\n'
        '<p>One\ntwo <code>login</code> <a href="/login" title="a > b">three</a><br>four &amp; five</p>'
        '<pre class="x"><code><span>login</span></code></pre><div class="blog-alert">'
        '<p class="blog-alert-title">Note</p><p>six</p></div><math><mi>login</mi></math>'
        "<table><tr><td>seven</td><td>eight</td></tr></table>"
    )

    assert " | ".join(" ".join(line.split()) for line in prose_in_html(html).split("\n") if line.strip()) == (
        "Login | One two three four & five | six | seven | eight"
    )


@requirement("style.terms.prose")
def test_no_term_crosses_the_end_of_a_paragraph() -> None:
    assert found(prose_in_html("<p>you click</p>\n<p>here you</p>"), "click here") == {}
    assert found(prose_in_html("<p>you click\nhere</p>"), "click here") == {"click here": 1}


def found_one_by_one(words: list[str], terms: list[list[str]]) -> dict[int, int]:
    """Return how often each term is found, the longest at each place, without regard to what it takes."""
    numbers, place = dict[int, int](), 0
    while place < len(words):
        here = [n for n, term in enumerate(terms) if words[place : place + len(term)] == term]
        longest = max(here, key=lambda n: len(terms[n]), default=None)
        if longest is not None:
            numbers[longest] = numbers.get(longest, 0) + 1
        place += 1 if longest is None else len(terms[longest])
    return numbers


def test_the_same_is_found_as_by_comparing_each_term_at_each_place() -> None:
    draw = Random(5)  # noqa: S311  repeatable, not secret
    for _ in range(400):
        listed = {" ".join(draw.choices("aab", k=draw.randint(1, 6))) for _ in range(draw.randint(1, 12))}
        terms = [term.split() for term in sorted(listed)]
        words = draw.choices("aaaabbc", k=draw.randint(0, 60))

        hits = TermFinder([AvoidedTerm(" ".join(term)) for term in terms]).hits(" ".join(words))

        assert {term: found.number for term, found in hits.items()} == found_one_by_one(words, terms)


@requirement("style.terms.time")
@pytest.mark.parametrize(
    "words",
    [["sign", "in", "the", "Harbour", "term7", "wait", "word3", "quay,"], ["中", "国", "港"], ["a"], ["e\u0301"]],
    ids=ascii,
)
def test_two_hundred_terms_in_a_megabyte_take_less_than_two_seconds(words: list[str]) -> None:
    terms = [AvoidedTerm(f"term{number}") for number in range(100)] + [
        AvoidedTerm(f"word{number} word", "x") for number in range(100)
    ]
    html = "<p>" + " ".join(islice(cycle(words), 1_000_000 // (len(" ".join(words).encode()) // len(words) + 1)))
    with takes_at_most(2):
        TermFinder(terms).hits(prose_in_html(html))


def beginnings(pattern: str) -> list[str]:
    """Return the beginnings of a repeated pattern, from each of its characters on."""
    return [(pattern * 60)[first : first + length] for first in range(len(pattern)) for length in range(1, 61)]


@requirement("style.terms.time")
@pytest.mark.parametrize(
    ("terms", "pattern"),
    [
        (beginnings("A."), "a."),
        ([term[:-1] + "A" for term in beginnings("a.")], "a."),
        (beginnings("."), "."),
        ([f"{'.' * 58}x{number}" for number in range(200)], "."),
        ([f"{'a ' * 7}b{number}" for number in range(200)], "a "),
        (beginnings("字A"), "字a"),
        ([term for term in beginnings("x\u0327") if term[-1] == "x"], "x\u0327"),
        (beginnings("\U00010400."), "\U00010428."),
    ],
    ids=ascii,
)
def test_terms_that_are_nearly_found_everywhere_take_no_longer(terms: list[str], pattern: str) -> None:
    finder = TermFinder([AvoidedTerm(term) for term in dict.fromkeys(terms)])
    text = pattern * (1_000_000 // len(pattern.encode()))
    with takes_at_most(2):
        finder.hits(text)
