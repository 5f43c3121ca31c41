"""How far apart two spellings of a word are."""


def most_slips(word: str) -> int:
    """How many slips a word of this length may have: none under 4 characters, one under 8, else two."""
    return 0 if len(word) < 4 else 1 if len(word) < 8 else 2


def slips_between(one: str, other: str, *, most: int) -> int:
    """The least number of letters to add, drop, change or swap with a neighbour; ``most + 1`` stands for more."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for place, letter in enumerate(one, start=1):
        earlier, before = before, row
        row = [place]
        for number, found in enumerate(other, start=1):
            least = min(before[number] + 1, row[-1] + 1, before[number - 1] + (letter != found))
            if place > 1 and number > 1 and letter == other[number - 2] and one[place - 2] == found:
                least = min(least, earlier[number - 2] + 1)
            row.append(least)
        if min(row) > most and (not before or min(before) > most):
            return most + 1
    return min(row[-1], most + 1)
