"""A stand-in for TraCSS: its login, and of its Subscriber and Metadata Services what is asked.

Paths, parameters, status codes and the names of fields are those of the service's own documents
(Subscriber Service API 1.0, Metadata API v1).
"""

import base64
import json
from urllib.parse import parse_qs, urlsplit

from tests.flows.misbehaving_server import Answer, Exchange, MisbehavingServer, by_path, status, text
from tests.screening.risk.message_texts import Parts, kvn, parts
from tests.screening.risk.tracss_row import tracss_row

CLIENT, SECRET, TOKEN = "0oa1client", "its very long secret", "eyJhbGciOiJIUzI1NiJ9.e30.token"
TOPIC = "gov.tracss.tracss.v2.cdms"
LOGIN, OFFSET, MESSAGES = "/oauth2/v1/token", "/subscriber/offset", "/subscriber/messages"
CONTACTS, UPLOAD = "/metadata/contactDirectory/operational/all", "/metadata/v2/ocm/upload"
OPERATORS = [
    {
        "organization": "MADE UP SATELLITES",
        "operationalContactNames": "Duty officer",
        "operationalContactEmails": "ops@example.org",
        "operationalContactPhones": "+1 555 0100",
        "noradIdList": ["12345", "55555"],
    },
    {"organization": "ANOTHER", "noradIdList": ["99999"]},
]

Record = dict[str, object]


def record(number: int, offset: int) -> Record:
    """A message with an id, at a place of the stream."""
    message: Parts = parts()
    message[0] |= {"MESSAGE_ID": str(number), "ORIGINATOR": "TRACSS"}
    return tracss_row(kvn(message), offset)


class Tracss:
    """The service: a stream whose places without a record belong to others; `answer` overrides messages."""

    def __init__(self, server: MisbehavingServer) -> None:
        self.server = server
        self.begin = 0  # older places are no longer there
        self.end = 0  # the next place
        self.stream: list[Record] = []
        self.answer: Answer | None = None
        self.after_page: Answer | None = None  # instead of the second page of a visit
        self.most = 1000
        self.says_reached = True
        self.directory = text(json.dumps(OPERATORS).encode())
        self.uploads: list[tuple[str, str]] = []  # the query, the body
        self.refuses: list[str] = []  # what it finds wrong in a file
        self._pages = 0
        self.route()

    def route(self) -> None:
        """Answer by path, again after an answer has been replaced."""
        self.server.answer = by_path(
            {
                LOGIN: self._login,
                OFFSET: self._checked(self._offset),
                MESSAGES: self._checked(self._messages),
                CONTACTS: self._checked(self.directory),
                UPLOAD: self._checked(self._upload),
            }
        )

    def add(self, *numbers: int, others: int = 0) -> None:
        """Let messages come, and after them some of other operators."""
        for number in numbers:
            self.stream.append(record(number, self.end))
            self.end += 1
        self.end += others

    def asked_from(self) -> list[int]:
        """Return from which places messages were asked for, in order."""
        asked = [urlsplit(path) for path in self.server.paths()]
        return [int(parse_qs(one.query)["offset"][0]) for one in asked if one.path == MESSAGES]

    def _login(self, exchange: Exchange) -> None:
        self._pages = 0
        form = parse_qs(exchange.request.body.decode())
        basic = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        right = exchange.request.headers.get("authorization") == f"Basic {basic}"
        if not right or form != {"grant_type": ["client_credentials"], "scope": ["tracssusername"]}:
            status("401 Unauthorized", b'{"error":"invalid_client"}')(exchange)
            return
        told = {"access_token": TOKEN, "token_type": "Bearer", "expires_in": 3600}
        text(json.dumps(told).encode())(exchange)

    @staticmethod
    def _checked(answer: Answer) -> Answer:
        def only_with_the_token(exchange: Exchange) -> None:
            known = exchange.request.headers.get("authorization") == f"Bearer {TOKEN}"
            (answer if known else status("401 Unauthorized", b"no"))(exchange)

        return only_with_the_token

    def _offset(self, exchange: Exchange) -> None:
        assert parse_qs(urlsplit(exchange.request.path).query) == {"topic": [TOPIC]}
        text(str(self.end).encode())(exchange)

    def _messages(self, exchange: Exchange) -> None:
        self._pages += 1
        if self.answer or (self.after_page and self._pages > 1):
            (self.answer or self.after_page or self._page)(exchange)
            return
        self._page(exchange)

    def _page(self, exchange: Exchange) -> None:
        asked = parse_qs(urlsplit(exchange.request.path).query)
        assert asked.keys() == {"topic", "offset", "maxResults"}
        offset, most = int(asked["offset"][0]), min(int(asked["maxResults"][0]), self.most)
        if not self.begin <= offset <= self.end:
            status("400 Bad Request", b"offset does not exist on the topic")(exchange)
            return
        there = [one for one in self.stream if int(str(one["offset"])) >= offset]
        found = there[:most]
        if not found:
            exchange.send_head("204 No Content")
            return
        last = int(str(found[-1]["offset"])) if len(found) < len(there) else self.end - 1
        headers = {"offset_reached": last} if self.says_reached else {}
        text(json.dumps({"cdm_v2": found}).encode(), **headers)(exchange)

    def _upload(self, exchange: Exchange) -> None:
        parts = urlsplit(exchange.request.path)
        assert exchange.request.method == "POST"
        assert exchange.request.headers["content-type"].startswith("multipart/form-data; boundary=")
        self.uploads.append((parts.query, exchange.request.body.decode()))
        wrong = self.refuses or None
        one = {"satNo": "12345", "preProcessingValidation": wrong, "toBeSaved": not wrong}
        inner = {"batchId": "ope-1", "ocmBatchList": [one]}
        payload = {"status": "Successful", "ocmFilesRejected": int(bool(self.refuses)), "payload": inner}
        body = json.dumps({"status": "successful", "payload": payload}).encode()
        status("201 Created", body)(exchange)
