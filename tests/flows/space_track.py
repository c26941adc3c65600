"""A stand-in for Space-Track: login, the class `cdm_public`, and the limit of three queries a day.

What its rows look like is taken from the service, as tests/screening/risk/message_texts.py shows one.
"""

import json
import re
from datetime import datetime, timedelta
from urllib.parse import parse_qs, unquote

from tests.flows.misbehaving_server import Answer, Exchange, MisbehavingServer, by_path, status, text
from tests.screening.risk.message_texts import SUMMARY

USER, PASSWORD = "me@example.org", "correct horse battery"
LOGIN, QUERY = "/ajaxauth/login", "/basicspacedata/query/class/cdm_public/"
ANNOUNCED = "/basicspacedata/query/class/tip/"
DAY = timedelta(days=1)
VIOLATED = (
    b'[{"error":"You\'ve violated your query rate limit. Please refer to our Acceptable Use guidelines"}]'
)

Row = dict[str, str]


def row(number: int, created: datetime, tca: datetime, **other: str) -> Row:
    """Return a message as a row of the class: CREATED with a blank, TCA with a T."""
    stamped = {
        "CDM_ID": str(number),
        "CREATED": f"{created:%Y-%m-%d %H:%M:%S}.000000",
        "TCA": f"{tca:%Y-%m-%dT%H:%M:%S}.235000",
    }
    return {**SUMMARY, **stamped, **other}


class SpaceTrack:
    """The service at a time of its own, with all messages it has; `answer` overrides that to queries."""

    def __init__(self, server: MisbehavingServer, now: datetime) -> None:
        self.now = now
        self.rows: list[Row] = []
        self.announced: list[Row] = []
        self.answer: Answer | None = None
        self.asked_at: list[datetime] = []
        self.server = server
        server.answer = by_path({LOGIN: self._login, ANNOUNCED: self._announced, QUERY: self._query})

    def queries(self) -> list[str]:
        """Return what was asked for, in order."""
        return [unquote(path.removeprefix(QUERY)) for path in self.server.paths() if path.startswith(QUERY)]

    def logins(self) -> int:
        return self.server.paths().count(LOGIN)

    def _login(self, exchange: Exchange) -> None:
        form = parse_qs(exchange.request.body.decode())
        known = form == {"identity": [USER], "password": [PASSWORD]}
        reply = text(b'""', set_cookie="chocolatechip=abc; path=/") if known else text(b'{"Login":"Failed"}')
        reply(exchange)

    def _query(self, exchange: Exchange) -> None:
        if exchange.request.headers.get("cookie") != "chocolatechip=abc":
            status("401 Unauthorized")(exchange)
            return
        self.asked_at = [at for at in self.asked_at if self.now - at < DAY] + [self.now]
        if len(self.asked_at) > 3:
            status("500 Internal Server Error", VIOLATED)(exchange)
            return
        (self.answer or text(self.body(exchange.request.path)))(exchange)

    def _announced(self, exchange: Exchange) -> None:
        asked = unquote(exchange.request.path)
        since = re.search(r"/MSG_EPOCH/>now-([0-9.]+)/orderby/MSG_EPOCH asc/format/json/", asked)
        assert since, asked
        begin = self.now - timedelta(days=float(since[1]))
        rows = [one for one in self.announced if datetime.fromisoformat(f"{one['MSG_EPOCH']}Z") > begin]
        text(json.dumps(rows).encode())(exchange)

    def body(self, path: str) -> bytes:
        """Return the rows that a query selects."""
        asked = unquote(path)
        for part in ("/orderby/CREATED asc/", "/limit/100000/", "/format/json/", "/emptyresult/show"):
            assert part in asked, asked
        created = re.search(r"/CREATED/>now-([0-9.]+)/", asked)
        if created:
            since = self.now - timedelta(days=float(created[1]))
            rows = [one for one in self.rows if datetime.fromisoformat(f"{one['CREATED']}Z") > since]
        else:
            assert "/TCA/>now/" in asked, asked
            rows = [one for one in self.rows if datetime.fromisoformat(f"{one['TCA']}Z") > self.now]
        return json.dumps(sorted(rows, key=lambda one: one["CREATED"])).encode()
