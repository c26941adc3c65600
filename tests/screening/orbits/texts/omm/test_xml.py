"""NDM/XML messages, whole, damaged and hostile."""

import tracemalloc

import pytest

from screening.errors import UnreadableCatalogue
from screening.orbits.texts.catalogue import parse_catalogue

Texts = dict[str, str]
UNITS = {"MEAN_MOTION": "rev/day", "INCLINATION": "deg", "BSTAR": "1/ER", "MEAN_MOTION_DOT": "rev/day**2"}
# Far below what ten levels of ten entities would take, 10 GB, and far above what the text itself does.
SMALL_MEMORY_BYTES = 5_000_000


def segment(record: Texts, *, units: bool = False) -> str:
    elements = []
    for key, text in record.items():
        attribute = f" units='{UNITS[key]}'" if units and key in UNITS else ""
        elements.append(f"<{key}{attribute}>{text}</{key}>")
    metadata = "<metadata><CENTER_NAME>EARTH</CENTER_NAME><REF_FRAME>TEME</REF_FRAME></metadata>"
    content = "\n".join(elements)
    return f"<segment>{metadata}\n<data><COMMENT>c</COMMENT>{content}</data>\n</segment>\n"


def message(*segments: str) -> str:
    header = "<header><CREATION_DATE>2024-11-01T00:00:00</CREATION_DATE><ORIGINATOR>O</ORIGINATOR></header>"
    body = "".join(segments)
    return f'<omm id="CCSDS_OMM_VERS" version="2.0">{header}<body>{body}</body></omm>\n'


def ndm(*messages: str) -> str:
    schema = (
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="ndmxml.xsd"'
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<ndm {schema}>\n{"".join(messages)}</ndm>\n'


def test_reads_messages_segments_units_and_comments(five: list[Texts]) -> None:
    several = parse_catalogue(ndm(*(message(segment(record)) for record in five)))
    one = parse_catalogue(message(*(segment(record, units=True) for record in five)))
    commented = ndm(message(*(f"<!-- <segment> -->{segment(record)}" for record in five)))
    assert several.text_format == "omm-xml"
    assert several.elements["norad_id"].tolist() == [1, 2, 3, 4, 5]
    for catalogue in (one, parse_catalogue(commented.encode())):
        assert catalogue.rejected == []
        assert catalogue.elements.tobytes() == several.elements.tobytes()


def test_reads_prefixed_tags_and_escaped_names(vanguard: Texts) -> None:
    text = ndm(
        message(segment(vanguard | {"OBJECT_NAME": "A &amp; B&#33; <![CDATA[<C>]]>", "OBJECT_ID": ""}))
    )
    prefixed = text.replace("<segment>", "<n:segment>").replace("</segment>", "</n:segment>")
    for catalogue in (parse_catalogue(text), parse_catalogue(prefixed)):
        assert catalogue.elements["name"].tolist() == ["A & B! <C>"]
        assert catalogue.elements["object_id"].tolist() == [""]


def test_reads_latin_1_that_says_so(vanguard: Texts) -> None:
    text = ndm(message(segment(vanguard | {"OBJECT_NAME": "SÃO"}))).replace("UTF-8", "ISO-8859-1")
    assert parse_catalogue(text.encode("latin-1")).elements["name"].tolist() == ["SÃO"]


@pytest.mark.parametrize(
    ("sound", "damaged", "reason"),
    [
        ("<EPOCH>", "<EPOCH units='s'>NaN", "EPOCH 'NaN2024-10-29T12:18:43.492896' must be YYYY-MM-DD"),
        ("<MEAN_MOTION>", "<MEAN_MOTION units='rad/s'>", "MEAN_MOTION is given in rad/s, must be in rev/day"),
        ("<BSTAR>", "<BSTAR>0</BSTAR><BSTAR>", "BSTAR occurs twice, must be in a segment of its own"),
        ("</BSTAR>", "", "must be well-formed XML (mismatched tag)"),
        ("</BSTAR>", "&nbsp;</BSTAR>", "must be well-formed XML (undefined entity)"),
        ("<data>", "<data <", "must be well-formed XML (not well-formed (invalid token))"),
        ("</data>\n</segment>", "", "must be closed before the next one"),
        (">EARTH<", ">MARS BARYCENTER<", "CENTER_NAME 'MARS BARYCENTER' must be EARTH"),
    ],
)
@pytest.mark.parametrize("one_message", [True, False])
def test_rejects_a_broken_record_in_the_middle(
    five: list[Texts], sound: str, damaged: str, reason: str, one_message: bool
) -> None:
    segments = [segment(record) for record in five]
    assert sound in segments[2]
    segments[2] = segments[2].replace(sound, damaged)
    text = ndm(message(*segments) if one_message else "".join(map(message, segments)))
    if not one_message and "closed" in reason:
        reason = "must be well-formed XML (mismatched tag)"
    catalogue = parse_catalogue(text)
    assert catalogue.elements["norad_id"].tolist() == [1, 2, 4, 5]
    (rejection,) = catalogue.rejected
    assert rejection.line == text[: text.index(segments[2])].count("\n") + 1
    assert rejection.reason.startswith(reason)


def test_counts_lines_after_a_damaged_record(five: list[Texts]) -> None:
    segments = [segment(record) for record in five]
    segments[1] = segments[1].replace("</BSTAR>", "")
    segments[4] = segments[4].replace(".1843421", "2")
    text = ndm(*map(message, segments))
    catalogue = parse_catalogue(text)
    starts = [text[: text.index(segments[i])].count("\n") + 1 for i in (1, 4)]
    assert [rejection.line for rejection in catalogue.rejected] == starts
    assert [rejection.record for rejection in catalogue.rejected] == ["2", "5"]


def entity_expansion() -> str:
    entities = ['<!ENTITY e0 "0123456789">']
    for i in range(1, 10):
        references = 10 * f"&e{i - 1};"
        entities.append(f'<!ENTITY e{i} "{references}">')
    document_type = f"<!DOCTYPE ndm [{''.join(entities)}]>"
    return f"<?xml version='1.0'?>{document_type}<ndm><omm><segment>&e9;</segment></omm></ndm>"


EXTERNAL_ENTITY = (
    '<!DOCTYPE ndm [<!ENTITY x SYSTEM "file:///etc/hostname">]>'
    "<ndm><omm><segment><OBJECT_NAME>&x;</OBJECT_NAME></segment></omm></ndm>"
)


@pytest.mark.parametrize("text", [entity_expansion(), EXTERNAL_ENTITY], ids=["expansion", "external"])
def test_refuses_entities_within_small_memory(text: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(UnreadableCatalogue, match="declares a document type"):
            parse_catalogue(text)
        assert tracemalloc.get_traced_memory()[1] < SMALL_MEMORY_BYTES
    finally:
        tracemalloc.stop()


def test_entities_behind_damage_are_not_expanded(vanguard: Texts) -> None:
    name = "<OBJECT_NAME>&x;</OBJECT_NAME>"
    hostile = f'<ndm><!DOCTYPE ndm [<!ENTITY x "X">]><segment>{name}</segment>{segment(vanguard)}</ndm>'
    catalogue = parse_catalogue(hostile)
    assert catalogue.elements["name"].tolist() == ["VANGUARD 1"]
    assert [r.reason for r in catalogue.rejected] == ["must be well-formed XML (undefined entity)"]


@pytest.mark.parametrize(
    "text", ["<ndm></ndm>", "<omm><body/></omm>", "<ndm><!-- <segment></segment> --></ndm>", "<ndm><opm/>"]
)
def test_refuses_xml_without_a_segment(text: str) -> None:
    with pytest.raises(UnreadableCatalogue, match="the XML text holds no <segment>"):
        parse_catalogue(text)
