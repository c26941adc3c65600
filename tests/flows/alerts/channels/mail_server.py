"""A real SMTP server on loopback, with TLS and login, that refuses what a test wants refused."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from flows.alerts.channels.mail import MailServer

NAME = "mail.test"
USER, PASSWORD = "skysieve", "correct horse"
SENDER = "skysieve@sky.example.org"


class Post:
    """The handler: keeps letters, and gives the answers it was told to."""

    def __init__(self) -> None:
        self.letters: list[Envelope] = []
        self.encrypted: list[bool] = []
        self.recipient_answer = "250 OK"
        self.data_answers: list[str] = []
        self.login_required = False

    async def handle_RCPT(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if self.recipient_answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.recipient_answer

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        if self.login_required and not session.authenticated:
            return "530 5.7.0 log in first"
        answer = self.data_answers.pop(0) if self.data_answers else "250 OK"
        if answer.startswith("250"):
            self.letters.append(envelope)
            self.encrypted.append(server.transport.get_extra_info("cipher") is not None)
        return answer


def _known(_server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, given: Any) -> AuthResult:
    assert isinstance(given, LoginPassword)
    right = (given.login, given.password) == (USER.encode(), PASSWORD.encode())
    return AuthResult(success=right, handled=False)


class _Server(Controller):
    """Knows its port, which the system chooses."""

    security = "none"

    @property
    def bound_port(self) -> int:
        assert self.server is not None
        return int(self.server.sockets[0].getsockname()[1])

    def client(self, password: str = PASSWORD) -> MailServer:
        return MailServer("localhost", self.bound_port, self.security, USER, password, SENDER)

    def _trigger_server(self) -> None:
        """Connect once, as the library does, to see that the server is there."""
        socket.create_connection((self.hostname, self.bound_port)).close()


@contextmanager
def serving(post: Post, security: str, tls: ssl.SSLContext | None = None) -> Iterator[_Server]:
    """Serve with `starttls` or `tls` and login, or with `none` of both."""
    post.login_required = security != "none"
    options: dict[str, Any] = {}
    if security == "starttls":
        options = {"authenticator": _known, "tls_context": tls, "require_starttls": True}
    elif security == "tls":  # of which the library does not know that it is TLS
        options = {"authenticator": _known, "auth_require_tls": False}
    server = _Server(post, "127.0.0.1", 0, ssl_context=tls if security == "tls" else None, **options)
    server.security = security
    server.start()
    try:
        yield server
    finally:
        server.stop()
