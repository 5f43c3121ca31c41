"""The base of all answers."""

from pydantic import BaseModel, ConfigDict


class Output(BaseModel):
    """An answer; its keys are exactly its fields, in their order."""

    model_config = ConfigDict(frozen=True, json_schema_serialization_defaults_required=True)
