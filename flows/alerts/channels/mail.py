"""How a letter is handed to the mail server."""

import smtplib
import ssl
from contextlib import suppress
from email.message import EmailMessage
from typing import NamedTuple

from flows.alerts.channels.posting import Answered
from flows.settings import FlowSettings
from flows.sources.time_limit import TimeLimit
from screening.errors import UsageError
from screening.orbits.texts.unreadable import shown

_SHOWN_CHARACTERS = 200
_FINAL = range(500, 600)
_TAKEN = 250


class MailServer(NamedTuple):
    """Where letters are handed in."""

    host: str
    port: int
    security: str  # starttls, tls, none
    user: str
    password: str
    sender: str


def mail_server(settings: FlowSettings) -> MailServer | None:
    """Return the mail server of the settings, None if they name none.

    Raises:
        UsageError: what belongs to it is missing, or a password would be sent in the clear.
    """
    if not settings.smtp_host:
        return None
    if not settings.smtp_from:
        raise UsageError(
            f"SKYSIEVE_SMTP_HOST={settings.smtp_host} needs SKYSIEVE_SMTP_FROM: the address from which "
            "e-mail is sent."
        )
    if settings.smtp_user and settings.smtp_security == "none":
        raise UsageError(
            f"SKYSIEVE_SMTP_USER={settings.smtp_user} is not allowed with SKYSIEVE_SMTP_SECURITY=none: the "
            "password would be sent in the clear. Use starttls or tls."
        )
    return MailServer(
        settings.smtp_host,
        settings.smtp_port,
        settings.smtp_security,
        settings.smtp_user,
        settings.smtp_password.get_secret_value(),
        settings.smtp_from,
    )


def hand_in(
    made: EmailMessage,
    recipient: str,
    server: MailServer,
    tls: ssl.SSLContext,
    limit: TimeLimit,
    wait_s: float,
) -> Answered:
    """Hand a letter to the server and return what came of it; wait no longer than `wait_s` for each answer.

    A recipient or a text that the server refuses for good (5xx) is final. A refused login or sender is not:
    the settings may be put right before the next attempt.
    """
    try:
        smtp = _connected(server, tls, wait_s)
        try:
            limit.watch(smtp.sock)
            _log_in(smtp, server, tls, limit)
            smtp.send_message(made, server.sender, [recipient])
            with suppress(smtplib.SMTPException, OSError):  # the letter has been taken by now
                smtp.quit()
        finally:
            smtp.close()
    except smtplib.SMTPRecipientsRefused as error:
        ((code, said),) = error.recipients.values()
        return _refused(server, "the recipient", code, said, is_final=code in _FINAL)
    except smtplib.SMTPDataError as error:
        final = error.smtp_code in _FINAL
        return _refused(server, "the e-mail", error.smtp_code, error.smtp_error, is_final=final)
    except smtplib.SMTPResponseException as error:
        what = "the login" if isinstance(error, smtplib.SMTPAuthenticationError) else "the conversation"
        return _refused(server, what, error.smtp_code, error.smtp_error)
    except (smtplib.SMTPException, OSError) as error:
        why = "it did not answer in time" if limit.over else shown(str(error), _SHOWN_CHARACTERS).rstrip(".")
        return Answered(None, f"The mail server {server.host} cannot be used: {why}.")
    return Answered(_TAKEN)


def _connected(server: MailServer, tls: ssl.SSLContext, wait_s: float) -> smtplib.SMTP:
    if server.security == "tls":
        return smtplib.SMTP_SSL(server.host, server.port, timeout=wait_s, context=tls)
    return smtplib.SMTP(server.host, server.port, timeout=wait_s)


def _log_in(smtp: smtplib.SMTP, server: MailServer, tls: ssl.SSLContext, limit: TimeLimit) -> None:
    """Encrypt and log in, as the settings want; SMTPNotSupportedError if the server offers no TLS."""
    if server.security == "starttls":
        smtp.starttls(context=tls)
        limit.watch(smtp.sock)
    if server.user:
        smtp.login(server.user, server.password)


def _refused(
    server: MailServer, what: str, code: int, said: bytes | str, *, is_final: bool = False
) -> Answered:
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    shortened = shown(text, _SHOWN_CHARACTERS).rstrip(".")
    return Answered(
        code, f"The mail server {server.host} refused {what} with {code}: {shortened}.", is_final=is_final
    )
