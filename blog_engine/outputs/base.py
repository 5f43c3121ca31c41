"""The base of all answers."""

from pydantic import BaseModel, ConfigDict


class Output(BaseModel):
    """An answer; its keys are exactly its fields, in their order."""

    # By alias: class and from are keys of answers, but can be no attributes.
    model_config = ConfigDict(frozen=True, serialize_by_alias=True, json_schema_serialization_defaults_required=True)
