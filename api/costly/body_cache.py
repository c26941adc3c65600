"""Bodies of answers that many clients ask for within the same second."""

from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock

from api.errors import Busy, ClientGone


class BodyCache:
    """The newest bodies, up to a number of bytes; each is made once, however many threads ask meanwhile."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._bodies: OrderedDict[str, Future[bytes]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: str, make: Callable[[], bytes]) -> bytes:
        """Return the body with this key; `make` it, or wait for another thread that is making it."""
        while True:
            with self._lock:
                body = self._bodies.get(key)
                if mine := body is None:
                    body = self._bodies[key] = Future()
            if mine:
                break
            try:
                return body.result()
            except (ClientGone, Busy):  # its maker gave up; this thread still wants it
                continue
        try:
            body.set_result(make())
        except BaseException as error:
            with self._lock:
                del self._bodies[key]
            body.set_exception(error)  # waiting threads get the error too; the next one tries again
            raise
        self._drop_oldest()
        return body.result()

    def made(self, key: str) -> "Future[bytes] | None":
        """Return the body with this key, finished or being made; None if there is none."""
        with self._lock:
            return self._bodies.get(key)

    def _drop_oldest(self) -> None:
        with self._lock:
            sizes = {key: len(body.result()) for key, body in self._bodies.items() if body.done()}
            excess = sum(sizes.values()) - self._max_bytes
            for key, size in sizes.items():  # the oldest first
                if excess <= 0:
                    break
                del self._bodies[key]
                excess -= size
