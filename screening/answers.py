"""Answers of the service, each declared once: its class, from which JSON and the OpenAPI document follow."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any, TypeVar, dataclass_transform

import numpy as np
import numpy.typing as npt

T = TypeVar("T")
_Schema = Mapping[str, Any]


class _SentAs:
    """What an array is in JSON, for pydantic, which asks annotations for this method."""

    def __init__(self, schema: _Schema) -> None:
        self._schema = schema

    def __get_pydantic_core_schema__(self, source: object, handler: object) -> _Schema:
        return self._schema


def _list_of(item: _Schema) -> _Schema:
    return {"type": "list", "items_schema": item}


def _three(item: _Schema) -> _Schema:
    return {"type": "tuple", "items_schema": [item] * 3}


_NUMBER: _Schema = {"type": "float"}
_OR_NULL: _Schema = {"type": "nullable", "schema": _NUMBER}
_Array = npt.NDArray[np.float64]

FloatOrNull = Annotated[float, _SentAs(_OR_NULL)]  # NaN is null
Numbers = Annotated[_Array, _SentAs(_list_of(_NUMBER))]  # (n,)
NumbersOrNull = Annotated[_Array, _SentAs(_list_of(_OR_NULL))]  # (n,) NaN is null
TableOrNull = Annotated[_Array, _SentAs(_list_of(_list_of(_OR_NULL)))]  # (n, m) likewise
Points = Annotated[_Array, _SentAs(_list_of(_three(_OR_NULL)))]  # (n, 3) likewise
Vector = Annotated[_Array, _SentAs(_three(_NUMBER))]  # (3,)
Matrix = Annotated[_Array, _SentAs(_three(_three(_NUMBER)))]  # (3, 3)
CountArray = Annotated[npt.NDArray[np.int64], _SentAs(_list_of({"type": "int"}))]  # (n,)
CountTable = Annotated[npt.NDArray[np.int64], _SentAs(_list_of(_list_of({"type": "int"})))]  # (n, m)

TimeText = Annotated[str, _SentAs({"type": "datetime"})]  # ISO 8601, UTC


@dataclass_transform(frozen_default=True)
def answer(**examples: object) -> Callable[[type[T]], type[T]]:
    """Make a class a frozen dataclass whose fields are described by the strings below them.

    `examples` are values of its fields, for the OpenAPI document.
    """

    def completed(document: dict[str, Any]) -> None:
        for name, field in document["properties"].items():
            field["description"] = " ".join(field["description"].split())  # of several lines
            if name in examples:
                field["examples"] = [examples[name]]

    def made(cls: type[T]) -> type[T]:
        of_it = dataclass(frozen=True, slots=True)(cls)
        of_it.__pydantic_config__ = {  # type: ignore[attr-defined]
            "use_attribute_docstrings": True,
            "strict": True,
            "extra": "forbid",
            "json_schema_extra": completed,
        }
        return of_it

    return made


def same_fields(kind: type[Any], *sources: object) -> dict[str, Any]:
    """Return those fields of an answer that sources have under the same name; the last one counts."""
    names = [field.name for field in fields(kind)]
    return {name: getattr(one, name) for one in sources for name in names if hasattr(one, name)}
