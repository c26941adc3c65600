"""`Accept`, `Accept-Encoding` and `If-None-Match`, by the examples of RFC 9110."""

import time
from collections.abc import Callable

import pytest

from api.answers.positions.bodies import BINARY
from api.costly.event_csv import CSV
from api.http.codings import CODINGS, Coding
from api.http.json_answers import JSON
from api.http.negotiation import acceptance, is_known, wanted_coding, wanted_type, weak, weighted


@pytest.mark.parametrize(
    ("fields", "members"),
    [
        ([], []),
        ([""], []),
        ([" , ,"], []),  # 5.6.1.2: empty members are passed over
        (["audio/*; q=0.2, audio/basic"], [("audio/*", 0.2), ("audio/basic", 1)]),  # 12.5.1
        (["compress;q=0.5, gzip;q=1.0"], [("compress", 0.5), ("gzip", 1)]),  # 12.5.3
        (["gzip", "zstd;q=0.125"], [("gzip", 1), ("zstd", 0.125)]),  # 5.3: two fields are one list
        (["GZip;Q=0.5"], [("gzip", 0.5)]),
        (["gzip ; q=0.5\t,zstd"], [("gzip", 0.5), ("zstd", 1)]),
        (["a;q=0, b;q=0.000, c;q=1.000, d;q=1."], [("a", 0), ("b", 0), ("c", 1), ("d", 1)]),
        (["a;q=.5"], [("a", 0.5)]),
        (["a;q=1.001, b;q=2, c;q=-1, d;q=inf, e;q=, f;q=x, g;q=1e-1, h;q"], [(c, 0) for c in "abcdefgh"]),
        (['a/b;c="1,2;q=0.1\\",";q=0.5, d/e'], [("a/b", 0.5), ("d/e", 1)]),  # quoted: separates nothing
        (['a/b;c="never ends, d;q=0.5'], [("a/b", 1)]),
        ([";, ;q=0.5, gzip"], [("", 1), ("", 0.5), ("gzip", 1)]),  # no name: nothing is called so
        (["a/b;q=0.5;old=extension;q=0.1"], [("a/b", 0.5)]),
    ],
)
def test_a_weighted_list_is_read(fields: list[str], members: list[tuple[str, float]]) -> None:
    assert [(one.name, one.weight) for one in weighted(fields)] == members


# Of section 12.5.1, and of 5.3.2 of RFC 7231, which has one row more that fits the others.
PLAIN = "text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, text/plain;format=fixed;q=0.4, */*;q=0.5"
HTML = "text/*;q=0.3, text/html;q=0.7, text/html;level=1, text/html;level=2;q=0.4, */*;q=0.5"


@pytest.mark.parametrize(
    ("accept", "media_type", "weight"),
    [
        (PLAIN, "text/plain;format=flowed", 1),
        (PLAIN, "text/plain", 0.7),
        (PLAIN, "text/html", 0.3),
        (PLAIN, "image/jpeg", 0.5),
        (PLAIN, "text/plain;format=fixed", 0.4),
        (HTML, "text/html;level=1", 1),
        (HTML, "text/html", 0.7),
        (HTML, "text/plain", 0.3),
        (HTML, "image/jpeg", 0.5),
        (HTML, "text/html;level=2", 0.4),
        (HTML, "text/html;level=3", 0.7),
        ("audio/*; q=0.2, audio/basic", "audio/basic", 1),
        ("audio/*; q=0.2, audio/basic", "audio/mpeg", 0.2),
        ("audio/*; q=0.2, audio/basic", "video/mpeg", 0),
        ("text/*, text/csv;q=0", "text/csv", 0),  # the more specific one decides, also where it refuses
    ],
)
def test_the_most_specific_range_gives_the_weight(accept: str, media_type: str, weight: float) -> None:
    assert acceptance(weighted([accept]), media_type).weight == weight


@pytest.mark.parametrize("other", [CSV, BINARY])
@pytest.mark.parametrize(
    ("accept", "by_name"),
    [
        ([], False),
        ([""], False),
        (["*/*"], False),
        (["*"], False),
        (["application/json"], False),
        (["image/png"], False),  # of what a client does not take JSON is sent, rather than nothing
        (["text/html,application/xhtml+xml,*/*;q=0.8"], False),  # a browser
        (["text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2"], False),  # Java
        (["{}"], True),
        (["{}; charset=UTF-8"], True),
        (["{}, */*"], True),  # both are taken, and one is named
        (["*/*, {}"], True),
        (["{}, application/json;q=0.5"], True),
        (["application/json;q=0.5", "{}"], True),
        (["{};q=0.9, */*;q=0.1"], True),
        (["application/json;q=0, {};q=0.1"], True),
        (["application/json;q=0, */*"], True),  # all but JSON
        (["application/json, {}"], False),
        (["{}, application/json"], False),  # the order says nothing
        (["{};q=0.5, application/json"], False),
        (["{};q=0.5, application/json; charset=utf-8"], False),
        (["{};q=0.5, */*"], False),
        (["{};q=0"], False),
        (["{};q=x"], False),
        (["{};q=0, */*"], False),
    ],
)
def test_who_gets_csv_or_arrays_instead_of_json(accept: list[str], by_name: bool, other: str) -> None:
    fields = [field.format(other) for field in accept]
    assert wanted_type(fields, (JSON, other)) == (other if by_name else JSON)


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ([], None),
        ([""], None),
        (["identity"], None),
        (["br"], None),
        (["gzip"], "gzip"),
        (["GZip"], "gzip"),
        (["x-gzip"], "gzip"),  # 8.4.1.3
        (["gzip, deflate, br, zstd"], "zstd"),
        (["gzip", "zstd"], "zstd"),
        (["compress, gzip"], "gzip"),  # this and the next four: 12.5.3
        (["*"], "gzip"),
        (["compress;q=0.5, gzip;q=1.0"], "gzip"),
        (["gzip;q=1.0, identity; q=0.5, *;q=0"], "gzip"),
        (["compress;q=0.5, gzip;q=0"], None),
        (["gzip;q=1.0, zstd;q=0.5"], "gzip"),
        (["gzip ; Q=0.2 , zstd;q=0.1"], "gzip"),
        (["gzip;q=0"], None),
        (["gzip;q=0.000, *;q=1"], None),
        (["zstd;q=0, gzip"], "gzip"),
        (["*;q=0"], None),
        (["*;q=0, zstd"], "zstd"),
        (["identity;q=0, *"], "gzip"),
        (["identity;q=0.5, gzip;q=0.2"], None),
        (["identity;q=0.5, gzip;q=0.5"], "gzip"),
        (["gzip;q=0.2, *;q=0.5"], None),  # `*` stands for the answer as it is, too
        (["gzip;q=nonsense"], None),
        (["gzip;q=-1"], None),
        (["gzip;q=inf"], None),
    ],
)
def test_the_coding_that_a_client_wants_most_is_taken(accepted: list[str], coding: Coding | None) -> None:
    assert wanted_coding(accepted, CODINGS) == coding


def test_only_what_is_there_is_offered() -> None:
    assert wanted_coding(["zstd, gzip;q=0.1"], ("gzip",)) == "gzip"
    assert wanted_coding(["zstd"], ("gzip",)) is None


@pytest.mark.parametrize(
    ("given", "etag", "known"),
    [
        ([], '"1"', False),
        ([""], '"1"', False),
        # 8.8.3.2, weak comparison
        (['W/"1"'], 'W/"1"', True),
        (['W/"1"'], 'W/"2"', False),
        (['W/"1"'], '"1"', True),
        (['"1"'], 'W/"1"', True),
        (['"1"'], '"1"', True),
        # 13.1.2
        (['"xyzzy"'], '"xyzzy"', True),
        (['"xyzzy", "r2d2xxxx", "c3piozzzz"'], '"c3piozzzz"', True),
        (['W/"xyzzy", W/"r2d2xxxx", W/"c3piozzzz"'], '"r2d2xxxx"', True),
        (['"xyzzy"', 'W/"r2d2xxxx"'], '"r2d2xxxx"', True),
        (["*"], '"1"', True),
        ([" * "], '"1"', True),
        (['"*"'], '"1"', False),
        (['"a,b", "c"'], '"a,b"', True),  # a comma may be part of a tag
        (['"a,b"'], '"a"', False),
        (["1"], '"1"', False),
        (['"A"'], '"a"', False),
        (['w/"1"'], '"1"', True),  # some send it so; what stands in quotes decides
    ],
)
def test_who_has_an_answer_already_is_known_by_its_etag(given: list[str], etag: str, known: bool) -> None:
    assert is_known(given, etag) is known


def test_an_etag_is_made_weak_once() -> None:
    assert weak('"1"') == weak('W/"1"') == 'W/"1"'


@pytest.mark.parametrize("read", [weighted, lambda fields: is_known(fields, '"1"')])
@pytest.mark.parametrize("text", ['"', '\\"', '"\\', ';"', ",", ";", 'W/"', '" ', "*,", ";q="])
def test_hostile_lists_take_time_in_proportion_to_their_length(
    read: Callable[[list[str]], object], text: str
) -> None:
    # 64 kB, all that a header can be; read again and again from each character it would be minutes.
    before_s = time.process_time()
    read([text * (65_536 // len(text))])
    assert time.process_time() - before_s < 5
