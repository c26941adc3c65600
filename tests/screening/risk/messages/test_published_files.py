"""Every published message beside the repository: scored as expected, or refused with line and reason."""

import math
import re
from pathlib import Path

import pytest

from screening.risk.messages.message import ConjunctionMessage
from screening.risk.messages.read import each_message
from screening.risk.messages.score import score_message
from screening.risk.messages.texts.entries import UnreadableMessage
from tests.screening.risk.expected_of_messages import EXPECTED, Expected
from tests.screening.risk.published import SharedFile


def test_the_table_has_them_all(shared_data: Path) -> None:
    folders = [shared_data / name for name in ("cdm", "ndm/cdm", "ndm/cara")]
    if not all(folder.is_dir() for folder in folders):
        pytest.skip(f"needs the folders {', '.join(map(str, folders))}")
    files = {str(path.relative_to(shared_data)) for folder in folders for path in folder.iterdir()}
    assert files == {expected.file for expected in EXPECTED}
    assert len(EXPECTED) == 44 + 23


@pytest.mark.sampled(67)
@pytest.mark.parametrize("expected", EXPECTED, ids=lambda expected: expected.file)
def test_what_is_expected_of_a_file(expected: Expected, shared_file: SharedFile) -> None:
    (found,) = each_message(shared_file(expected.file).read_bytes(), source_name=expected.file)
    if expected.refused_line:
        assert isinstance(found, UnreadableMessage)
        assert expected.refused_why in str(found)
        assert re.search(rf"\n  line {expected.refused_line} +:", str(found))
        return
    assert isinstance(found, ConjunctionMessage)
    assert math.isnan(found.hard_body_radius_m) == (expected.radius_m is not None)
    score = score_message(found, expected.radius_m or found.hard_body_radius_m, samples=0, seed=1)
    assert score.probability_flag == expected.flags
    assert math.isfinite(score.probability_2d_unchecked)
    withheld = {"slow", "long", "curved", "non_positive_definite"} & set(expected.flags.split())
    assert math.isnan(score.probability_2d) == bool(withheld)
    assert expected.told in "; ".join(score.remarks)
