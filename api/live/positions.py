"""Prepared objects of the newest snapshot, and the answers that many clients request at the same time."""

import hashlib
from concurrent.futures import Future
from threading import Lock
from typing import Literal, NamedTuple
from weakref import WeakKeyDictionary

from api.answers.positions.at_a_time import TrackedObjects, WhereAt, current_positions, tracked_objects
from api.answers.positions.bodies import positions_binary, positions_compact, positions_json
from api.costly.body_cache import BodyCache
from api.costly.fair_queue import GoOn
from api.http.codings import Coding, packed
from storage.in_memory.snapshot import Snapshot

# A full catalogue is 5.4 MB, 1.9 MB compressed: a few instants of it, and any number of small answers.
_KEPT_BYTES = 32_000_000
_MANY = 1000  # objects

Kind = Literal["json", "binary", "compact"]
_WRITTEN = {"json": positions_json, "binary": positions_binary, "compact": positions_compact}


class Form(NamedTuple):
    """How an answer is written."""

    kind: Kind
    coding: Coding | None = None


class LivePositions:
    """Answers questions about positions; any number of threads may ask at once."""

    def __init__(self) -> None:
        self._bodies = BodyCache(_KEPT_BYTES)
        self._preparing = Lock()
        # Weak: an old snapshot takes 80 MB. Each organisation has a snapshot of its own.
        self._prepared: WeakKeyDictionary[Snapshot, TrackedObjects] = WeakKeyDictionary()
        self._last: TrackedObjects | None = None

    def objects(self, snapshot: Snapshot) -> TrackedObjects:
        """Return a snapshot's objects, prepared: 0.2 s for 27,000 when the snapshot is new.

        The first time on a machine kernels are compiled, for about ten seconds: ask once before serving.
        """
        with self._preparing:
            found = self._prepared.get(snapshot)
            if found is None:
                found = self._prepared[snapshot] = self._last = tracked_objects(snapshot, self._last)
                current_positions(found, WhereAt(found.screened_from, limit=1))
            return found

    def made(self, tag: str, form: Form) -> "Future[bytes] | None":
        """Return the answer with a tag if it is finished or being made."""
        return self._bodies.made(_key(tag, form))

    def body(
        self,
        objects: TrackedObjects,
        wanted: WhereAt,
        tag: str,
        form: Form,
        go_on: GoOn = lambda: None,
    ) -> bytes:
        """Return where objects are, as bytes; `tag` is that of the answer. Arrays of 27,000: 5 ms, JSON: 100.

        `go_on` is called between portions of the work, and may raise.

        Raises:
            NotFound: a requested object does not exist.
        """

        def make() -> bytes:
            if form.coding is not None:
                return packed(self.body(objects, wanted, tag, Form(form.kind), go_on), form.coding)
            found = current_positions(objects, wanted, go_on)
            go_on()
            return _WRITTEN[form.kind](objects, found)

        return self._bodies.get(_key(tag, form), make)


def costly(objects: TrackedObjects, wanted: WhereAt) -> bool:
    """Return whether an answer has many objects: 80 ms of CPU time for 27,000."""
    count = len(objects.norad_ids) if wanted.norad_ids is None else len(wanted.norad_ids)
    return min(count, wanted.limit or count) > _MANY


def tag_of(objects: TrackedObjects, wanted: WhereAt) -> str:
    """Return a tag that is the same for the same answer, and differs for any other."""
    text = repr((objects.version, str(wanted.instant), wanted.limit, wanted.norad_ids))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _key(tag: str, form: Form) -> str:
    return f"{form.kind} {form.coding} {tag}"
