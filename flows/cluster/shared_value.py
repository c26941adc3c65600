"""What several tasks of a process need of one array, computed once."""

import weakref
from collections.abc import Callable
from threading import Lock
from typing import Any, Generic, TypeVar

import numpy.typing as npt

Value = TypeVar("Value")


class SharedValue(Generic[Value]):
    """The value that goes with an array; gone with the array, and as soon as another one comes."""

    def __init__(self) -> None:
        self._array: weakref.ref[npt.NDArray[Any]] | None = None
        self._value: Value | None = None
        self._computing = Lock()

    def of(self, array: npt.NDArray[Any], compute: Callable[[], Value]) -> Value:
        """Return the value of an array: threads that ask for it at once wait for the first."""
        with self._computing:
            value = self._value
            if value is None or self._array is None or self._array() is not array:
                value = compute()
                self._value, self._array = value, weakref.ref(array, self._forget)
            return value

    def _forget(self, array: "weakref.ref[npt.NDArray[Any]]") -> None:
        if self._array is array:
            self._array = self._value = None
