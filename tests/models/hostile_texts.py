"""Texts that make a full-text index as large as can be."""

from collections.abc import Iterable, Iterator
from itertools import count, islice, product
from string import ascii_lowercase, digits

_ALPHANUMERIC = ascii_lowercase + digits


def letters(size: int) -> list[str]:
    """Letters of so many bytes that stay as they are when they become small."""
    ranges = {2: (0x80, 0x800), 3: (0x800, 0xE000), 4: (0x10000, 0x30000)}
    return [
        letter
        for letter in map(chr, range(*ranges[size]))
        if not 0xD800 <= ord(letter) < 0xE000 and letter.isalpha() and letter.lower() == letter
    ]


def words_of_three_bytes() -> Iterator[str]:
    """The worst there is: each takes eight bytes of the index and four of the text."""
    yield from letters(3)
    yield from map("".join, product(_ALPHANUMERIC, repeat=3))
    for letter, other in product(letters(2), _ALPHANUMERIC):
        yield letter + other
        yield other + letter


def batched(words: Iterable[str], size: int) -> Iterator[tuple[str, ...]]:
    """The words in groups."""
    stream = iter(words)
    while group := tuple(islice(stream, size)):
        yield group


def shortest_words() -> Iterator[str]:
    """Words of one and two bytes, and then the worst."""
    yield from _ALPHANUMERIC
    yield from ("Ⱥ", "Ⱦ", "İ")
    yield from letters(2)
    yield from map("".join, product(_ALPHANUMERIC, repeat=2))
    yield from words_of_three_bytes()


def growing_words() -> Iterator[str]:
    """Words that are longer in small letters."""
    for size in count(1):
        yield from map("".join, product("ȺȾİ", repeat=size))


def numbers_with_letters_behind() -> Iterator[str]:
    """A number and a word with no space between them."""
    for first, second in zip(product(digits, repeat=2), product(digits, repeat=3), strict=False):
        yield f"{first[0]}e{first[1]}{''.join(second[:1])}x"
    for number, letter in zip(count(1000), words_of_three_bytes(), strict=False):
        yield f"{number // 10}e{number % 10}{letter}"


HOSTILE = {
    "words of three bytes": words_of_three_bytes,
    "shortest words": shortest_words,
    "growing words": growing_words,
    "numbers with letters behind": numbers_with_letters_behind,
    "letters of two bytes": lambda: map("".join, product(letters(2), repeat=2)),
    "letters of four bytes": lambda: iter(letters(4)),
    "pairs with a hyphen": lambda: map("-".join, batched(words_of_three_bytes(), 2)),
    "chains of hyphens": lambda: map("-".join, batched(words_of_three_bytes(), 9)),
    "web addresses": lambda: (f"https://h{n}.example.com/p{n}/q{n}?a{n}=b{n}&c#d{n}" for n in count()),
    "short web addresses": lambda: (f"{pair[0]}.co/{pair[-1]}" for pair in batched(words_of_three_bytes(), 2)),
    "mail addresses": lambda: (f"u{n}.v{n}@h{n}.example.org" for n in count()),
    "hosts": lambda: (f"a{n}.b{n}.c{n}.d{n}.net" for n in count()),
    "paths": lambda: (f"/usr/{n:x}/local_{n:x}/~x/{n}.txt" for n in count()),
    "numbers": lambda: (f"-{n}.{n}e+{n % 300} +{n} v{n}.{n}.{n}" for n in count()),
    "tags": lambda: (f"<b{n} c='{n}'>&e{n};&#{n};" for n in count()),
    "one word again and again": lambda: ("a" for _ in count()),
    "words too long to be indexed": lambda: (f"{n:x}" * 700 for n in count(4096)),
}


def fill(words: Iterable[str], sizes: dict[str, int]) -> dict[str, str]:
    """Texts of at most so many bytes, made of whole words in their order."""
    stream = iter(words)
    return {column: _fill_one(stream, size) for column, size in sizes.items()}


def _fill_one(stream: Iterator[str], size: int) -> str:
    taken, left = [], size
    for word in stream:
        length = len(word.encode())
        if length > left:
            break
        taken.append(word)
        left -= length + 1
        if left <= 0:
            break
    return " ".join(taken)
