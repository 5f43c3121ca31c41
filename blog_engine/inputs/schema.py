"""Input of the OpenAPI document."""

from typing import Literal

from pydantic import Field

from blog_engine.inputs.base import Input


class GetSchema(Input):
    """In which form to give the document."""

    format: Literal["json", "yaml"] = Field("json", description="json or yaml.")
