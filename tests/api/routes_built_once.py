"""Routes that the applications of a process share.

FastAPI builds a route when an application is first asked for it, or for one behind it: 0.3 CPU-s for each of
the hundreds of applications that tests make, all with the same routes. What it builds belongs to none.
"""

from typing import Any

from fastapi import routing

_built: dict[
    tuple[int, str], Any
] = {}  # by the route, which the value holds, and the prefix it is included with


def share_built_routes() -> None:
    """Let FastAPI take a route that it has built for another application of this process."""
    kind: Any = getattr(routing, "_EffectiveRouteContext", None)
    if kind is None:
        return
    build = kind.from_api_route

    def from_api_route(*, original_route: Any, include_context: Any) -> Any:
        key = id(original_route), include_context.prefix
        if key not in _built:
            _built[key] = build(original_route=original_route, include_context=include_context)
        return _built[key]

    kind.from_api_route = from_api_route
