"""Where a proxy offers the service below a path of its own."""

from starlette.types import ASGIApp, Receive, Scope, Send


class BelowPath:
    """Let an application know its path at the proxy, whether the proxy passes it on or cuts it off."""

    def __init__(self, app: ASGIApp, root_path: str) -> None:
        self.app = app
        self.root_path = root_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request on, with the path as the client asked for it."""
        if scope["type"] == "http":
            path = scope["path"]
            if not f"{path}/".startswith(f"{self.root_path}/"):
                path = self.root_path + path
            scope = {**scope, "root_path": self.root_path, "path": path}
        await self.app(scope, receive, send)
