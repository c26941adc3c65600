"""A class declared once is the answer, its JSON and its description."""

import dataclasses
from typing import Any

import numpy as np
import orjson
import pytest
from pydantic import TypeAdapter, ValidationError

from screening.answers import Numbers, NumbersOrNull, Vector, answer


@answer(length_m=3.5)
class Rod:
    """A straight piece of metal."""

    length_m: float
    """m, from end to end,
    cold."""
    strain: NumbersOrNull
    """Along it; null: not measured."""
    axis: Vector | None
    """Unit vector."""


ROD = Rod(2.0, np.array([0.5, np.nan]), np.array([0.0, 0.0, 1.0]))
WRITTEN = b'{"length_m":2.0,"strain":[0.5,null],"axis":[0.0,0.0,1.0]}'


def fields() -> dict[str, Any]:
    found: dict[str, Any] = TypeAdapter(Rod).json_schema()["properties"]
    return found


def test_the_strings_below_fields_describe_them() -> None:
    assert {name: field["description"] for name, field in fields().items()} == {
        "length_m": "m, from end to end, cold.",
        "strain": "Along it; null: not measured.",
        "axis": "Unit vector.",
    }
    assert [field.get("examples") for field in fields().values()] == [[3.5], None, None]


def test_the_json_is_what_the_description_allows() -> None:
    assert orjson.dumps(ROD, option=orjson.OPT_SERIALIZE_NUMPY) == WRITTEN
    read = TypeAdapter(Rod).validate_json(WRITTEN)
    assert read == Rod(2.0, [0.5, None], (0.0, 0.0, 1.0))  # type: ignore[arg-type]
    for wrong in (b'"2"', b"null", b'2.0,"width_m":1.0'):
        with pytest.raises(ValidationError):
            TypeAdapter(Rod).validate_json(WRITTEN.replace(b"2.0", wrong))
    with pytest.raises(ValidationError):  # a vector has three numbers
        TypeAdapter(Rod).validate_json(WRITTEN.replace(b"0.0,1.0", b"1.0"))


def test_an_answer_does_not_change() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        ROD.length_m = 3.0  # type: ignore[misc]


def test_one_that_derives_from_another_has_its_fields_first_with_their_strings_and_examples() -> None:
    @answer(colour="red")
    class Painted(Rod):
        """A painted one."""

        colour: str
        """Of its paint."""

    described = TypeAdapter(Painted).json_schema()["properties"]
    assert list(described) == ["length_m", "strain", "axis", "colour"]
    assert described["length_m"]["description"] == "m, from end to end, cold."
    assert (described["length_m"]["examples"], described["colour"]["examples"]) == ([3.5], ["red"])
    painted = Painted(ROD.length_m, ROD.strain, ROD.axis, "red")
    written = orjson.dumps(painted, option=orjson.OPT_SERIALIZE_NUMPY)
    assert written == WRITTEN.replace(b"}", b',"colour":"red"}')


def test_a_field_without_a_description_is_refused() -> None:
    @answer()
    class Silent:
        """Says nothing of its field."""

        values: Numbers

    with pytest.raises(KeyError, match="values"):
        TypeAdapter(Silent).json_schema()
