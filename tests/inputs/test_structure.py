from blog_engine.inputs.adoption import AdoptPost
from blog_engine.inputs.hints import model_in, steps_along
from blog_engine.inputs.posts import ConnectionsInput


def test_the_way_into_an_input_ends_where_the_fields_do() -> None:
    steps = steps_along(["connections", "connections", "party", "letters"], model=AdoptPost)

    assert [step.name for step in steps] == ["connections", "connections", "party"]
    assert [step.position for step in steps[1:]] == [0, 0]
    assert steps_along(["nowhere", "title"], model=AdoptPost) == []


def test_the_object_that_a_type_admits_is_found() -> None:
    assert model_in(tuple[ConnectionsInput | None, ...]) is ConnectionsInput
    assert model_in(str | None) is None
