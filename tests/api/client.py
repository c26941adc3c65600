"""A client of an application in this process."""

import asyncio
from collections.abc import Mapping

import httpx
from fastapi import FastAPI


class Client:
    """Ask an application, with the same headers each time unless others are given."""

    def __init__(
        self, app: FastAPI, headers: Mapping[str, str], address: tuple[str, int] = ("127.0.0.1", 50_000)
    ) -> None:
        self.app = app
        self.headers = headers
        self.address = address

    def get(self, path: str, **request: object) -> httpx.Response:
        """Return the answer to a GET."""
        return self.request("GET", path, **request)

    def request(self, method: str, path: str, **request: object) -> httpx.Response:
        """Return the answer to a request."""
        return asyncio.run(self._request(method, path, request))

    def without_credential(self) -> "Client":
        """Return a client of the same application that brings nothing."""
        return Client(self.app, {})

    async def _request(self, method: str, path: str, request: Mapping[str, object]) -> httpx.Response:
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False, client=self.address)
        async with httpx.AsyncClient(
            transport=transport, base_url="http://localhost", headers=self.headers
        ) as client:
            return await client.request(method, path, **request)  # type: ignore[arg-type]
