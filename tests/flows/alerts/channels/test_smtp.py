"""E-mail goes through a real mail server, encrypted and with login, or is tried again."""

import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest
import trustme

from flows.alerts.channels.mail import MailServer, mail_server
from flows.settings import FlowSettings
from screening.errors import UsageError
from storage.state.alerts.deliveries import delivery
from storage.state.database import service_state
from tests.flows import misbehaving_server as bad
from tests.flows.alerts.alerting import NOW, Clock, alert_to, delivered, means_of, story, told_to
from tests.flows.alerts.channels.mail_server import SENDER, USER, Post, serving
from tests.flows.misbehaving_server import MisbehavingServer

ADDRESS = "desk@example.org"
Serve = Callable[..., MailServer]


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def trusting(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


@pytest.fixture
def post() -> Post:
    return Post()


@pytest.fixture
def serve(post: Post, authority: trustme.CA) -> Iterator[Serve]:
    with ExitStack() as until_done:

        def start(security: str = "starttls", name: str = "localhost", **more: str) -> MailServer:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            authority.issue_cert(name).configure_cert(context)
            return until_done.enter_context(serving(post, security, context)).client(**more)

        yield start


@pytest.fixture
def message_id(tmp_path: Path) -> str:
    return told_to(tmp_path, alert_to(tmp_path, ADDRESS, "email"))


def send(store: Path, server: MailServer | None, tls: ssl.SSLContext, clock: Clock | None = None) -> None:
    delivered(means_of(store, clock or Clock(), mail=server, tls=tls))


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_a_letter_arrives_encrypted_and_after_a_login(
    serve: Serve, post: Post, trusting: ssl.SSLContext, message_id: str, tmp_path: Path, security: str
) -> None:
    send(tmp_path, serve(security), trusting)
    assert story(tmp_path, message_id)[:2] == ("delivered", [(250, "")])
    assert post.encrypted == [True]
    (envelope,) = post.letters
    assert (envelope.mail_from, envelope.rcpt_tos) == (SENDER, [ADDRESS])
    assert isinstance(envelope.content, bytes)
    letter = message_from_bytes(envelope.content, policy=policy.default)
    assert isinstance(letter, EmailMessage)
    assert letter["Message-ID"] == f"<{message_id}@sky.example.org>"
    assert letter["Auto-Submitted"] == "auto-generated"
    assert letter["List-Unsubscribe"] is None
    assert letter["To"] == ADDRESS
    assert "night & day: critical: ISS (ZARYA) and COSMOS <1408> & DEB, P 1.2e-04" in letter["Subject"]
    plain, html = (letter.get_body([kind]) for kind in ("plain", "html"))
    assert plain is not None
    assert html is not None
    assert "ISS (ZARYA) (25544) and COSMOS <1408> & DEB (43210)" in plain.get_content()
    assert "COSMOS &lt;1408&gt; &amp; DEB" in html.get_content()
    assert envelope.content.isascii()


def test_a_wrong_password_is_tried_again_for_it_may_be_put_right(
    serve: Serve, post: Post, trusting: ssl.SSLContext, message_id: str, tmp_path: Path
) -> None:
    send(tmp_path, serve(password="wrong"), trusting)
    state, ((status, error),), again_s = story(tmp_path, message_id)
    assert (state, status, again_s) == ("waiting", 535, 5.0)
    assert "refused the login with 535" in error
    assert "wrong" not in error
    assert post.letters == []


def test_a_recipient_refused_for_good_ends_the_message(
    serve: Serve, post: Post, trusting: ssl.SSLContext, message_id: str, tmp_path: Path
) -> None:
    post.recipient_answer = "550 5.1.1 no such user"
    send(tmp_path, serve(), trusting)
    state, ((status, error),), _ = story(tmp_path, message_id)
    assert (state, status) == ("failed", 550)
    assert "refused the recipient with 550: 5.1.1 no such user." in error


def test_a_letter_refused_for_good_ends_the_message(
    serve: Serve, post: Post, trusting: ssl.SSLContext, message_id: str, tmp_path: Path
) -> None:
    post.data_answers = ["554 5.7.1 spam"]
    send(tmp_path, serve(), trusting)
    assert story(tmp_path, message_id)[0] == "failed"


def test_greylisting_only_delays(
    serve: Serve, post: Post, trusting: ssl.SSLContext, message_id: str, tmp_path: Path
) -> None:
    server, clock = serve(), Clock()
    post.recipient_answer = "451 4.7.1 greylisted, come back later"
    send(tmp_path, server, trusting, clock)
    assert story(tmp_path, message_id)[0::2] == ("waiting", 5.0)
    post.recipient_answer = "250 OK"
    post.data_answers = ["451 4.3.0 not now"]
    clock.now = NOW + timedelta(seconds=5)
    send(tmp_path, server, trusting, clock)
    clock.now = delivery(tmp_path, message_id).message.due
    send(tmp_path, server, trusting, clock)
    state, tried, _ = story(tmp_path, message_id)
    assert (state, [status for status, _ in tried]) == ("delivered", [451, 451, 250])
    assert len(post.letters) == 1


def test_the_letter_is_the_same_at_each_attempt(
    serve: Serve, post: Post, trusting: ssl.SSLContext, tmp_path: Path
) -> None:
    server = serve()
    desk = alert_to(tmp_path, ADDRESS, "email")
    message_id = told_to(tmp_path, desk)
    send(tmp_path, server, trusting)
    with service_state(tmp_path) as state:  # as if the process had been killed before it noted the delivery
        state.execute("UPDATE outbox SET state = 'waiting' WHERE id = ?", (message_id,))
    send(tmp_path, server, trusting)
    first, second = post.letters
    assert first.content == second.content


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_a_certificate_of_another_name_or_authority_gets_no_password(
    serve: Serve, post: Post, trusting: ssl.SSLContext, message_id: str, tmp_path: Path, security: str
) -> None:
    clock = Clock()
    send(tmp_path, serve(security, name="another.test"), trusting, clock)
    clock.now += timedelta(seconds=5)
    send(tmp_path, serve(security), ssl.create_default_context(), clock)
    state, tried, _ = story(tmp_path, message_id)
    assert state == "waiting"
    assert ["certificate verify failed" in error for _, error in tried] == [True, True]
    assert post.letters == []


def test_a_server_without_tls_gets_no_password(
    serve: Serve, post: Post, trusting: ssl.SSLContext, message_id: str, tmp_path: Path
) -> None:
    send(tmp_path, serve("none")._replace(security="starttls"), trusting)
    state, ((_, error),), again_s = story(tmp_path, message_id)
    assert (state, again_s) == ("waiting", 5.0)
    assert "STARTTLS extension not supported" in error
    assert post.letters == []


def test_a_relay_without_login_and_tls_works(
    serve: Serve, post: Post, trusting: ssl.SSLContext, message_id: str, tmp_path: Path
) -> None:
    send(tmp_path, serve("none")._replace(user="", password=""), trusting)
    assert story(tmp_path, message_id)[0] == "delivered"
    assert post.encrypted == [False]


def test_a_mail_server_that_is_not_there_or_hangs_is_tried_again(
    trusting: ssl.SSLContext, tmp_path: Path
) -> None:
    with MisbehavingServer(listening=False) as closed, MisbehavingServer() as silent:
        silent.answer = bad.silent
        for server, why, address in ((closed, "refused", ADDRESS), (silent, "timed out", "b@example.org")):
            message_id = told_to(tmp_path, alert_to(tmp_path, address, "email"))
            mail = MailServer("127.0.0.1", server.port, "starttls", USER, "x", SENDER)
            delivered(means_of(tmp_path, Clock(), mail=mail, tls=trusting, total_s=0.5))
            state, ((status, error),), again_s = story(tmp_path, message_id)
            assert (state, status, again_s) == ("waiting", None, 5.0)
            assert why in error


def test_without_a_mail_server_the_reason_is_told(
    trusting: ssl.SSLContext, message_id: str, tmp_path: Path
) -> None:
    send(tmp_path, None, trusting)
    assert "SKYSIEVE_SMTP_HOST" in story(tmp_path, message_id)[1][0][1]


def test_settings_that_do_not_fit_together_are_refused() -> None:
    good = {"smtp_host": "mail.example.org", "smtp_from": SENDER, "smtp_user": "a"}
    assert mail_server(FlowSettings()) is None
    made = mail_server(FlowSettings(**good, smtp_password="b"))  # type: ignore[arg-type]
    assert made == MailServer("mail.example.org", 587, "starttls", "a", "b", SENDER)
    with pytest.raises(UsageError, match="SKYSIEVE_SMTP_FROM"):
        mail_server(FlowSettings(smtp_host="mail.example.org"))
    with pytest.raises(UsageError, match="in the clear"):
        mail_server(FlowSettings(**good, smtp_security="none"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong",
    [
        {"smtp_host": "mail example"},
        {"smtp_host": "http://mail.example.org"},
        {"smtp_from": "not an address"},
        {"smtp_from": "a@example.org\nBcc: b@example.org"},
        {"smtp_security": "ssl"},
        {"smtp_port": 0},
    ],
)
def test_wrong_settings_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        FlowSettings(**wrong)  # type: ignore[arg-type]
