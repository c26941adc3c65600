"""The valid credentials, cached for half a second, so that requests do not read the disk."""

import logging
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from threading import Lock

from screening.errors import StoreError
from storage.state.credentials import RefusedCredential, list_credentials, recognise, record_use, still_valid
from storage.state.records import Credential, Session
from storage.state.sessions import digest_of, find_session

LOG = logging.getLogger("skysieve.api")

MAX_AGE_S = 0.5  # a revoked credential is refused after this long


class KnownCredentials:
    """The credentials of a store, and when each was last used. Any number of threads may ask."""

    def __init__(self, store: Path, monotonic_s: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._monotonic_s = monotonic_s
        self._lock = Lock()
        self._known: Mapping[int, Credential] = {}
        self._sessions: dict[bytes, Session] = {}  # those looked up
        self._read_at_s = -float("inf")
        self._used: dict[int, datetime] = {}

    def recognise(self, secret: str, now: datetime) -> Credential:
        """Return the credential to which a secret belongs, and note its use.

        Raises:
            RefusedCredential: the secret is not valid.
        """
        with self._lock:
            self._renew()
            credential = recognise(secret, self._known, now)
            self._used[credential.id] = now
        return credential

    def of_session(self, secret: str, now: datetime) -> tuple[Session, Credential]:
        """Return the session with a secret, and the credential it was made from, which counts as used.

        Raises:
            RefusedCredential: there is no such session, it is over, or its credential is no longer valid.
        """
        with self._lock:
            self._renew()
            digest = digest_of(secret)
            session = self._sessions.get(digest) or find_session(self._store, digest)
            owner = None if session is None else self._known.get(session.credential_id)
            if session is None or session.expires <= now or owner is None:
                raise RefusedCredential("The session has ended: sign in again.")
            self._sessions[digest] = session
            credential = still_valid(owner, now)
            self._used[credential.id] = now
        return session, credential

    def forget(self) -> None:
        """Read everything again at the next look-up: a session was made or ended here."""
        with self._lock:
            self._read_at_s = -float("inf")

    def _renew(self) -> None:
        if self._monotonic_s() - self._read_at_s > MAX_AGE_S:
            self._sessions = {}
            self._known = {credential.id: credential for credential in list_credentials(self._store)}
            self._read_at_s = self._monotonic_s()

    def write_uses(self) -> None:
        """Store when credentials were used since the last time; log what prevents it."""
        with self._lock:
            used, self._used = self._used, {}
        if used:
            try:
                record_use(self._store, used)
            except StoreError as error:  # a read-only store
                LOG.warning("the last uses of credentials are not stored: %s", error)
