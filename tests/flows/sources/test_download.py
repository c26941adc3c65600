"""A download against servers that are slow, cut off, too large or say no."""

import gzip
import tracemalloc

import httpx
import pytest

from flows.sources.download import CONNECTION_ATTEMPTS, Answer, Limits, Web, ask, open_client
from flows.sources.errors import SourceError, Stopped, Unreachable
from tests.flows.misbehaving_server import (
    DRIPPING_BODY,
    DRIPPING_HEAD,
    Exchange,
    MisbehavingServer,
    chunks_cut,
    compressed,
    endless,
    of_length,
    reset,
    silent,
    silent_after_head,
    status,
    tagged,
    text,
    without_length,
    zeros_compressed,
)

GENEROUS = Limits(connect_s=20, silence_s=20, total_s=60, max_bytes=1_000_000)
# Whatever waits for its limits ends with them, long before this stops the test.
pytestmark = pytest.mark.timeout(50)
# Measured 0.4 MB; the limit of size, and as much again for the last copy, must be the order of it.
most_memory_bytes = 4_000_000


def never(seconds: float) -> None:
    raise AssertionError(f"waited {seconds} s for another attempt")


NO_RETRY = Web(never)


def get(
    server: MisbehavingServer, limits: Limits = GENEROUS, web: Web = NO_RETRY, **options: object
) -> Answer:
    headers = options.pop("headers", {})
    with open_client(limits, web) as client:
        request = client.build_request("GET", f"{server.url}/gp.csv", headers=headers)
        return ask(client, request, limits, web, **options)


def test_an_answer_comes_with_what_a_later_request_needs(server: MisbehavingServer) -> None:
    server.answer = text(b"content", etag='"one"', last_modified="Sat, 21 Nov 2026 06:00:00 GMT")
    assert get(server) == Answer(200, b"content", '"one"', "Sat, 21 Nov 2026 06:00:00 GMT")
    (request,) = server.requests
    assert request.headers["user-agent"].startswith("skysieve/")
    assert request.headers["accept-encoding"] == "gzip"


def test_gzip_is_decompressed_in_all_its_members(server: MisbehavingServer) -> None:
    server.answer = compressed(gzip.compress(b"first ") + gzip.compress(b"second"))
    assert get(server).text == b"first second"


@pytest.mark.parametrize("answer", [without_length(b"all"), compressed(gzip.compress(b"all"))])
def test_other_ways_to_end_a_body_are_read(server: MisbehavingServer, answer) -> None:
    server.answer = answer
    assert get(server).text == b"all"


def test_a_validator_that_cannot_be_sent_back_is_dropped(server: MisbehavingServer) -> None:
    server.answer = text(b"content", etag='"\xe9"')
    assert get(server).etag == ""


def test_304_is_an_answer_to_a_condition_only(server: MisbehavingServer) -> None:
    server.answer = tagged(b"content", '"one"')
    assert get(server, headers={"If-None-Match": '"one"'}) == Answer(304, b"", '"one"', "")
    server.answer = status("304 Not Modified")
    with pytest.raises(Stopped, match="304"):
        get(server)


def test_an_unwanted_body_stays_unread(server: MisbehavingServer) -> None:
    sent = []

    def answer(exchange: Exchange) -> None:
        exchange.send_head("200 OK", content_length=10**9)
        for _ in range(10**9 // 65536):
            exchange.send(bytes(65536))  # fails once the client has gone
            sent.append(65536)

    server.answer = answer
    assert get(server, body_wanted=False) == Answer(200, b"", "", "")
    server.close()
    assert sum(sent) < 10**8  # what the buffers of two sockets may hold is a tenth of this


@pytest.mark.parametrize("line", ["301 Moved Permanently", "403 Forbidden", "429 Too Many Requests"])
def test_another_status_stops_and_is_reported(server: MisbehavingServer, line: str) -> None:
    server.answer = status(line, b"Data is updated once every 2 hours.\x1b[2J", location="/elsewhere")
    with pytest.raises(Stopped) as stopped:
        get(server)
    assert f"/gp.csv answered {line} and points to /elsewhere: Data is updated" in str(stopped.value)
    assert "\x1b" not in str(stopped.value)
    assert len(server.requests) == 1  # neither followed nor tried again


@pytest.mark.parametrize("line", ["500 Internal Server Error", "503 Service Unavailable", "206 Partial"])
def test_a_failing_server_is_asked_once(server: MisbehavingServer, line: str) -> None:
    server.answer = status(line, b"<html>sorry</html>")
    with pytest.raises(Stopped, match=rf"answered {line}\.$"):
        get(server)
    assert len(server.requests) == 1


@pytest.mark.slow
def test_a_refusal_that_never_ends_is_reported_all_the_same(server: MisbehavingServer) -> None:
    def answer(exchange: Exchange) -> None:
        exchange.send_head("500 Internal Server Error")
        exchange.send(b"sorry")
        exchange.closing.wait()

    server.answer = answer
    with pytest.raises(Stopped, match="500"):
        get(server, GENEROUS._replace(silence_s=1))


@pytest.mark.parametrize(
    "answer",
    [of_length(1000, b"a" * 999), chunks_cut(b"a" * 1000), compressed(gzip.compress(b"a" * 10**5)[:-20])],
    ids=["length", "chunks", "gzip"],
)
def test_an_answer_that_is_cut_off_is_none(server: MisbehavingServer, answer) -> None:
    server.answer = answer
    with pytest.raises(SourceError, match="cut off") as failed:
        get(server)
    assert server.url in str(failed.value)


def test_damaged_gzip_is_no_answer(server: MisbehavingServer) -> None:
    stream = bytearray(gzip.compress(bytes(range(256)) * 50))
    stream[40:60] = bytes(20)
    server.answer = compressed(bytes(stream))
    with pytest.raises(SourceError, match="damaged"):
        get(server)


def test_an_encoding_nobody_asked_for_is_refused(server: MisbehavingServer) -> None:
    server.answer = text(b"content", content_encoding="br")
    with pytest.raises(SourceError, match="'br'"):
        get(server)


def test_what_is_announced_too_large_is_not_read(server: MisbehavingServer) -> None:
    server.answer = silent_after_head(2_000_000_000)
    with pytest.raises(SourceError, match=r"announces 2,000,000,000 bytes; 1,000,000 bytes are allowed"):
        get(server)


def test_the_limit_itself_is_allowed(server: MisbehavingServer) -> None:
    for answer in (text(bytes(1000)), compressed(gzip.compress(bytes(1000)))):
        server.answer = answer
        assert get(server, GENEROUS._replace(max_bytes=1000)).text == bytes(1000)
        with pytest.raises(SourceError, match="999 bytes are allowed"):
            get(server, GENEROUS._replace(max_bytes=999))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "told"),
    [(endless, "sends too much"), (None, "decompress to too much")],
    ids=["endless", "gzip bomb"],
)
def test_memory_is_bounded_whatever_is_sent(server: MisbehavingServer, answer, told: str) -> None:
    server.answer = answer or compressed(zeros_compressed(200_000_000))
    tracemalloc.start()
    try:
        with pytest.raises(SourceError, match=told):
            get(server)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak_bytes < most_memory_bytes


@pytest.mark.parametrize("answer", [silent, silent_after_head(10)], ids=["head", "body"])
def test_a_silent_server_is_given_up(server: MisbehavingServer, answer) -> None:
    server.answer = answer
    with pytest.raises(SourceError, match=r"sent nothing for 0\.2 s"):
        get(server, GENEROUS._replace(silence_s=0.2))
    assert len(server.requests) == 1


@pytest.mark.parametrize("answer", [DRIPPING_HEAD, DRIPPING_BODY, silent], ids=["head", "body", "silent"])
def test_the_whole_download_has_a_limit(server: MisbehavingServer, answer) -> None:
    """The timeout of a read never fires for a server that sends a byte now and then, in the head either."""
    server.answer = answer
    with pytest.raises(SourceError, match=r"did not answer within 0\.3 s"):
        get(server, GENEROUS._replace(total_s=0.3))
    assert len(server.requests) == 1


def test_a_refused_connection_is_tried_again() -> None:
    with MisbehavingServer(listening=False) as server:
        server.answer = text(b"content")
        assert get(server, web=Web(lambda _seconds: server.listen())).text == b"content"


def test_a_reset_before_the_answer_is_tried_again(server: MisbehavingServer) -> None:
    server.answer = reset

    def wait(_seconds: float) -> None:
        server.answer = text(b"content")

    assert get(server, web=Web(wait)).text == b"content"
    assert len(server.requests) == 2


def test_attempts_end_and_each_waits_longer() -> None:
    waits: list[float] = []
    tries: list[int] = []
    with (
        MisbehavingServer(listening=False) as server,
        pytest.raises(Unreachable, match=r"127\.0\.0\.1 cannot be reached: .* refused"),
    ):
        get(server, web=Web(waits.append), before_each=lambda: tries.append(1))
    assert len(tries) == CONNECTION_ATTEMPTS == 3
    assert [int(wait) for wait in waits] == [1, 2]  # and a random part of a second on top


def test_an_unknown_host_is_unreachable() -> None:
    web = Web(lambda _seconds: None)
    with open_client(GENEROUS, web) as client, pytest.raises(Unreachable, match=r"nowhere\.invalid"):
        ask(client, client.build_request("GET", "http://nowhere.invalid/"), GENEROUS, web)


def test_a_proxy_that_refuses_is_no_network() -> None:
    def refuse(request: httpx.Request) -> httpx.Response:
        raise httpx.ProxyError("403 Forbidden", request=request)

    web = Web(never, httpx.MockTransport(refuse))
    with open_client(GENEROUS, web) as client, pytest.raises(Unreachable, match="403 Forbidden"):
        ask(client, client.build_request("GET", "https://celestrak.org/"), GENEROUS, web)


def test_an_answer_that_is_not_http_is_reported(server: MisbehavingServer) -> None:
    server.answer = lambda exchange: exchange.send(b"220 mail.example ESMTP\r\n")
    with pytest.raises(SourceError, match="not HTTP"):
        get(server)
