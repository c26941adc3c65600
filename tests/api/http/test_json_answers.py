"""Arrays in answers, however they lie in memory."""

import numpy as np
import pytest

from api.http.json_answers import json_bytes


def test_arrays_are_lists_with_null_for_what_is_not_finite() -> None:
    table = np.array([[1.0, np.nan], [np.inf, 4.5]])
    assert json_bytes(table) == b"[[1.0,null],[null,4.5]]"
    assert json_bytes({"turned": table.T, "column": table[:, 1]}) == (
        b'{"turned":[[1.0,null],[null,4.5]],"column":[null,4.5]}'
    )


def test_what_has_no_json_is_an_error() -> None:
    with pytest.raises(TypeError, match="complex"):
        json_bytes(1j)
