"""Answers of the service, each declared once: its class, from which JSON and the OpenAPI document follow."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from itertools import pairwise
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

    `examples` are values of its fields, for the OpenAPI document. Fields of an answer that it derives from
    come first, with their strings and examples.
    """

    def made(cls: type[T]) -> type[T]:
        of_it = dataclass(frozen=True, slots=True)(cls)
        known = {**getattr(cls, "__examples__", {}), **examples}

        def completed(document: dict[str, Any]) -> None:
            meanings = _meanings(of_it)
            for name, field in document["properties"].items():
                field["description"] = meanings[name]
                if name in known:
                    field["examples"] = [known[name]]

        of_it.__examples__ = known  # type: ignore[attr-defined]
        of_it.__pydantic_config__ = {  # type: ignore[attr-defined]
            "strict": True,
            "extra": "forbid",
            "json_schema_extra": completed,
        }
        return of_it

    return made


def _meanings(kind: type[Any]) -> dict[str, str]:
    """Return the strings below the fields of a class and of those that it derives from.

    Read when the document is made: pydantic's `use_attribute_docstrings` does it at each start, in 80 ms.
    """
    found: dict[str, str] = {}
    for one in reversed(kind.mro()[:-1]):  # without object
        (made,) = ast.parse(textwrap.dedent(inspect.getsource(one))).body
        assert isinstance(made, ast.ClassDef)
        for field, text in pairwise(made.body):
            match field, text:
                case (
                    ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str(meaning))),
                ):
                    found[name] = " ".join(meaning.split())
    return found


def same_fields(kind: type[Any], *sources: object) -> dict[str, Any]:
    """Return those fields of an answer that sources have under the same name; the last one counts."""
    names = [field.name for field in fields(kind)]
    return {name: getattr(one, name) for one in sources for name in names if hasattr(one, name)}
