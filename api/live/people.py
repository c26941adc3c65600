"""People who have signed in by a provider: who they are here, and whether the provider still confirms it.

The tokens of the provider are kept in memory alone. After a restart nobody can be confirmed, so people sign
in again; mostly the provider does that without asking them anything.
"""

import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import Any, get_args

from api.errors import ProviderDown, SignInRefused
from api.live.known_credentials import KnownCredentials
from api.live.provider import Begun, Identified, Provider, word
from api.settings import ProviderSettings
from screening.errors import UsageError
from storage.state.credentials import RefusedCredential
from storage.state.records import Credential
from storage.state.sessions import LIFETIME, NewSession, create_session, digest_of, renew_session
from storage.state.whose.organisations import organisation
from storage.state.whose.people import Person, credential_of_person
from storage.vocabulary import Role

CONFIRMED_EVERY = timedelta(minutes=5)  # an account that is blocked there is refused here after this time
ASKED_AGAIN_AFTER = timedelta(seconds=10)  # a provider that could not be reached
MOST_SIGNED_IN = 10_000  # browsers
_SEPARATOR = "~"
_MOST_NAMED = 30  # claims, in a refusal


@dataclass
class _SignedIn:
    """A browser: whom the provider has identified, and until when that counts."""

    identified: Identified
    ends: datetime
    confirmed_until: datetime
    asked_again_at: datetime | None = None
    lock: Lock = field(default_factory=Lock)  # a token for new tokens is often good for one use


class People:
    """Signs people in, and asks the provider again. Any number of threads may do so."""

    def __init__(
        self,
        settings: ProviderSettings,
        store: Path,
        credentials: KnownCredentials,
        now: Callable[[], datetime],
    ) -> None:
        self.settings = settings
        self._provider = Provider(settings)
        self._store = store
        self._credentials = credentials
        self._now = now
        self._lock = Lock()
        self._signed_in: dict[bytes, _SignedIn] = {}

    def begin(self, redirect_uri: str) -> tuple[str, str]:
        """Return where somebody signs in, and what the browser must keep meanwhile.

        Raises:
            ProviderDown: the provider does not say where.
        """
        begun = Begun.new()
        return self._provider.address(begun, redirect_uri), _SEPARATOR.join(begun)

    def sign_in(
        self, begun: str, answer: Mapping[str, str], redirect_uri: str
    ) -> tuple[NewSession, Credential]:
        """Return a new session, with its last possible end, and the credential of its person.

        `begun`: what the browser has kept; `answer`: what the provider had it bring back.

        Raises:
            ProviderDown: the provider cannot be asked.
            SignInRefused: it refuses the person, or the person may do nothing here.
        """
        code, before = self._code(begun, answer)
        identified = self._provider.identify(before, code, redirect_uri, self._now())
        now = self._now().replace(microsecond=0)
        try:
            credential = credential_of_person(self._store, self._person(identified), now)
        except RefusedCredential as error:
            raise SignInRefused(str(error)) from error
        session = create_session(self._store, credential, now, CONFIRMED_EVERY)
        ends = now + LIFETIME
        with self._lock:
            self._forget(now)
            self._signed_in[digest_of(session.secret)] = _SignedIn(identified, ends, session.expires)
        self._credentials.forget()
        return NewSession(session.secret, ends), credential

    def confirm(self, secret: str) -> None:
        """Ask the provider about the person of a session if that is due; sessions of tokens are not its own.

        Raises:
            RefusedCredential: the provider no longer confirms the person, or cannot be asked.
        """
        signed_in = self._signed_in.get(digest_of(secret))
        if signed_in is None or self._now() < signed_in.confirmed_until:
            return
        with signed_in.lock:
            now = self._now().replace(microsecond=0)
            if now < signed_in.confirmed_until or now >= signed_in.ends:
                return  # another request has asked; or it is over, which its session says
            if signed_in.asked_again_at is None or now >= signed_in.asked_again_at:
                signed_in.asked_again_at = now + ASKED_AGAIN_AFTER
                if self._confirmed(secret, signed_in, now):
                    return
        host = self.settings.host
        raise RefusedCredential(
            f"{host} cannot confirm who is signed in, because it cannot be reached. Try again later, or sign "
            "in with a token."
        )

    def end(self, secret: str) -> None:
        """Forget a session that somebody has ended."""
        with self._lock:
            self._signed_in.pop(digest_of(secret), None)

    def _confirmed(self, secret: str, signed_in: _SignedIn, now: datetime) -> bool:
        """Ask the provider about a person; return False if it cannot be asked."""
        try:
            identified = self._provider.confirm(signed_in.identified, self._now())
            credential = credential_of_person(self._store, self._person(identified), now)
        except ProviderDown:
            return False
        except (SignInRefused, RefusedCredential) as error:
            self.end(secret)
            raise RefusedCredential(f"The session has ended: {error} Sign in again.") from error
        until = min(now + CONFIRMED_EVERY, signed_in.ends)
        with self._lock:  # so that nobody who signs out meanwhile is signed in again
            if digest_of(secret) in self._signed_in:
                renew_session(self._store, secret, credential, until)
        signed_in.identified = identified
        self._credentials.forget()
        signed_in.confirmed_until, signed_in.asked_again_at = until, None
        return True

    def _code(self, begun: str, answer: Mapping[str, str]) -> tuple[str, Begun]:
        """Return the code that was brought back; that of another browser would sign in somebody else."""
        parts = begun.split(_SEPARATOR)
        own = len(parts) == len(Begun._fields) and all(parts)
        if not own or not hmac.compare_digest(parts[0].encode(), answer["state"].encode()):
            raise SignInRefused(
                "This sign-in was not begun in this browser, was used already, or took over 10 minutes."
            )
        host = self.settings.host
        if answer["iss"] not in ("", self.settings.issuer):
            raise SignInRefused(f"This answer is not from {host}.")
        if answer["error"] or not answer["code"]:
            why = word(answer["error"]) or "it sent no code"
            raise SignInRefused(f"{host} has not signed you in: {why}.")
        return answer["code"], Begun(*parts)

    def _person(self, identified: Identified) -> Person:
        """Return who somebody is, and what that person may do here, by the claims that the settings name."""
        claims = identified.claims
        named, role = (_text(claims, name) for name in (self.settings.organisation, self.settings.role))
        name = _text(claims, "name") or _text(claims, "preferred_username") or _text(claims, "email") or ""
        given: dict[str, Role] = {one: one for one in get_args(Role) if one != "flight"}
        if named is None or role not in given:
            raise SignInRefused(self._nothing_allowed(identified, "each must have one allowed value"))
        try:
            whose = organisation(self._store, named)
        except UsageError as error:
            raise SignInRefused(self._nothing_allowed(identified, "there is no such organisation")) from error
        return Person(self.settings.issuer, identified.subject, name, given[role], whose.id)

    def _nothing_allowed(self, identified: Identified, why: str) -> str:
        """Return why somebody may do nothing here, with the claims that decide it and the names of all."""
        claims = identified.claims
        has = ", ".join(
            f"{name}={claims[name]!r:.100}" if name in claims else f"no {name}"
            for name in (self.settings.organisation, self.settings.role)
        )
        others = ", ".join(sorted(claims)[:_MOST_NAMED])
        return (
            f"{identified.subject!r:.100} may do nothing here: {why}. {self.settings.host} says {has}; roles "
            f"are viewer, operator and admin (flight needs a token: it names objects). All claims: {others}."
        )

    def _forget(self, now: datetime) -> None:
        """Forget browsers whose time is over, and the oldest ones if there are too many."""
        over = [digest for digest, one in self._signed_in.items() if one.ends <= now]
        oldest = list(self._signed_in)[: max(0, len(self._signed_in) - len(over) - MOST_SIGNED_IN + 1)]
        for digest in {*over, *oldest}:
            del self._signed_in[digest]


def _text(claims: Mapping[str, Any], name: str) -> str | None:
    value = claims.get(name)
    return value if isinstance(value, str) and value else None
