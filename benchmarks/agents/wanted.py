"""What the tasks ask for, word for word; ``tasks.md`` has every text of this module."""

from datetime import UTC, datetime
from typing import Final

REVIEWER: Final = "Rosa Quay"
"""The editor whose approval the tasks give."""

TYPO: Final = ("temperture", "temperature")
TYPO_NOTE: Final = "The word temperature was misspelt."

OLD_PRICE: Final = "A weekly pass costs 42 euros"
NEW_PRICE: Final = "A weekly pass costs 46 euros"
PRICE_CHANGE: Final = "New price of the weekly pass."

RUNNING_COSTS: Final = "What it costs to run"
PARAGRAPH: Final = (
    "In the second year the electricity for heating came to 3,140 kilowatt hours, eleven percent less than in the "
    "first. Half of the difference is the milder winter; the other half is the flow temperature, which we lowered by "
    "four degrees once the radiators in the hall had been replaced."
)

READING: Final = "Further reading"
READ_NEXT: Final = ("packing-light-one-bag", "shin-splints-rest", "night-train-vienna-rome")

DESCRIPTION: Final = "What to check before you pay for a used camera, from the shutter count to the battery door."
TAGS: Final = ("photography", "second-hand", "buying guide")
CATEGORY: Final = "Buying guides"

ARTICLE: Final = "The ferry that runs on rope"
ARTICLE_TAGS: Final = ("ferries", "rivers")
ARTICLE_CATEGORY: Final = "Travel"
ARTICLE_FACTS: Final = ("1887", "94 metres", "four minutes", "Lena Moor", "12 bicycles", "November")
"""What the notes say and the article has to contain."""

SATURDAY: Final = (
    "On Saturdays the reading room closes at four.",
    "On Saturdays the reading room is open until eight.",
)

RELEASE: Final = datetime(2030, 3, 4, 9, 0, tzinfo=UTC)
"""When the tenth task schedules a post."""
