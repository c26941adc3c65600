"""Messages of every form give the same record, with what their texts say."""

import dataclasses
import json
import math
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

import skysieve
from screening.errors import InputError
from screening.risk.messages.message import ConjunctionMessage
from screening.risk.messages.read import each_message
from screening.risk.messages.score import score_message
from tests.screening.risk import message_texts
from tests.screening.risk.published import integral_rows
from tests.validation.risk.truth import expected

SharedFile = Callable[[str], Path]
CARA = "cdm/000020580_conj_000022015_20210315_212955_20210313_065123.cdm"


@pytest.fixture(scope="module")
def text(shared_file: SharedFile) -> str:
    return shared_file(CARA).read_text()


def written(text: str, keyword: str) -> list[str]:
    """Return what the text says of a keyword, without its unit."""
    return re.findall(rf"^{keyword}\s*=\s*([^\[\n]*?)\s*(?:\[.*\])?\s*$", text, re.MULTILINE)


def test_the_record_says_what_the_text_says(shared_file: SharedFile, text: str) -> None:
    message = skysieve.read_message(shared_file(CARA))
    assert [message.message_id] == written(text, "MESSAGE_ID")
    (tca,) = written(text, "TCA")
    assert message.tca == datetime.fromisoformat(tca).replace(tzinfo=UTC)
    assert message.miss_distance_m == float(written(text, "MISS_DISTANCE")[0])
    objects = (message.primary, message.secondary)
    for number, each in enumerate(objects):
        assert each.designator == written(text, "OBJECT_DESIGNATOR")[number]
        assert each.position_m is not None
        assert each.velocity_m_s is not None
        assert each.covariance_rtn is not None
        assert each.position_m[0] == pytest.approx(1e3 * float(written(text, "X")[number]), rel=1e-15)
        assert each.velocity_m_s[2] == pytest.approx(1e3 * float(written(text, "Z_DOT")[number]), rel=1e-15)
        assert each.covariance_rtn[1][0] == float(written(text, "CT_R")[number])
        assert each.covariance_rtn[0][1] == each.covariance_rtn[1][0]


def test_the_record_cannot_be_changed_and_is_json(shared_file: SharedFile) -> None:
    message = skysieve.read_message(str(shared_file(CARA)))
    with pytest.raises(dataclasses.FrozenInstanceError):
        message.probability = 1.0  # type: ignore[misc]
    again = json.loads(json.dumps(message.to_dict()))
    assert again == message.to_dict()
    assert again["tca"].endswith("Z")
    assert again["primary"]["covariance_rtn"][0][0] == message.primary.covariance_rtn[0][0]  # type: ignore[index]
    assert message == skysieve.read_message(shared_file(CARA))


def test_a_published_pair_of_forms_is_the_same_message(shared_file: SharedFile) -> None:
    one, other = (skysieve.read_message(shared_file(f"ndm/cdm/golden_cdm.{form}")) for form in ("cdm", "xml"))
    # Remarks name lines, which differ.
    assert dataclasses.replace(one, remarks=()) == dataclasses.replace(other, remarks=())


@pytest.mark.slow
def test_the_plane_of_a_message_has_the_published_probability(shared_file: SharedFile) -> None:
    folder = shared_file("cdm")
    rows = [
        (row, folder / Path(row["inputs"]).name)
        for row, _ in integral_rows(shared_file)
        if row["kind"] == "cdm"
    ]
    assert len(rows) >= 20
    for row, path in rows:
        message, radius_m = skysieve.read_message(path), float(row["hbr_m"])
        plane = message.encounter_plane(shared_drag=False)
        published, allowed = expected(row)
        assert abs(skysieve.collision_probability(*plane, radius_m) - published) <= allowed, row["id"]
        # With it, it is what the command says.
        (read,) = each_message(path.read_bytes())
        assert isinstance(read, ConjunctionMessage)
        scored = score_message(read, radius_m, samples=0, seed=1)
        found = float(skysieve.collision_probability(*message.encounter_plane(), radius_m))
        said = scored.probability_2d_correlated
        assert found == pytest.approx(scored.probability_2d_unchecked if math.isnan(said) else said, rel=1e-9)


def test_a_message_without_a_plane_says_why(text: str, tmp_path: Path) -> None:
    path = tmp_path / "message.cdm"
    path.write_text(message_texts.without_covariance(text, 2))
    with pytest.raises(InputError, match="has no covariance of the secondary object"):
        skysieve.read_message(path).encounter_plane()
    path.write_text(re.sub(r"^(CT_R\s*=).*$", r"\1 1e12 [m**2]", text, flags=re.MULTILINE))
    (number,) = written(text, "MESSAGE_ID")
    with pytest.raises(InputError, match=rf"of the message {number} are not positive definite"):
        skysieve.read_message(path).encounter_plane()
    path.write_text(json.dumps([message_texts.SUMMARY]))
    summary = skysieve.read_message(path)
    assert (summary.miss_distance_m, summary.primary.position_m) == (886.0, None)
    with pytest.raises(InputError, match="has no states"):
        summary.encounter_plane()


def test_a_file_with_several_messages_is_read_by_the_other_function(text: str, tmp_path: Path) -> None:
    path = tmp_path / "two.cdm"
    path.write_text(f"{text}\n{text}")
    with pytest.raises(InputError, match=r"two\.cdm holds more than one message: read_messages"):
        skysieve.read_message(path)
    first, second = skysieve.read_messages(path)
    assert first == second


def test_what_is_no_message_is_named_with_line_and_keyword(text: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.cdm"
    path.write_text(text.replace("TCA ", "TCB ", 1))
    with pytest.raises(skysieve.UnreadableMessage, match="TCA"):
        skysieve.read_message(path)
    path.write_text("hello")
    with pytest.raises(skysieve.UnreadableMessage, match="must begin with CCSDS_CDM_VERS"):
        skysieve.read_message(path)
    with pytest.raises(InputError, match=r"gone\.cdm cannot be read"):
        skysieve.read_message(tmp_path / "gone.cdm")
