"""House styles of tests."""

from typing import Any

from blog_engine import services
from blog_engine.inputs.base import parse
from blog_engine.inputs.house_style import SaveHouseStyle
from blog_engine.models import HouseStyle
from tests.support.factories import EDITOR, NOW


def write_style(**rules: Any) -> HouseStyle:
    """Store a house style of these rules alone."""
    return services.save_house_style(parse(SaveHouseStyle, rules), actor=EDITOR, now=NOW)
