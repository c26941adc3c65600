"""The web page and /docs: files bundled into `web/dist` at build time, served unchanged."""

import html
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

from fastapi import APIRouter, FastAPI, Request, Response

from api.errors import NotFound
from api.http.negotiation import wanted_coding
from api.live.service import service_of
from api.settings import ApiSettings

DIST = Path(__file__).parents[1] / "web" / "dist"

# Scripts, styles, pictures, typeface and data from this service only; nothing inline, no framing, no forms.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
PAGE_HEADERS = {"Content-Security-Policy": _POLICY, "Cache-Control": "private, no-cache"}
_FOR_EVER = "public, max-age=31536000, immutable"  # a hash of the content is in the name
_ASKED_EACH_TIME = "public, no-cache"
_MEDIA_TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".woff2": "font/woff2",
}
_NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>skysieve</title>
<h1>The page is not built</h1>
<p>The service works: <a href="openapi.json">openapi.json</a> lists its paths.
<p>The page was not built at installation, because Node.js or the npm registry was not available.
In the source folder, with Node.js 20 or newer, <code>make page</code> builds it; then restart
<code>skysieve serve</code>. The wheel of a release has it inside.
"""


class Asset(NamedTuple):
    """A file of the page, plain and compressed."""

    body: bytes
    gzip: bytes
    media_type: str


def serve(app: FastAPI, settings: ApiSettings) -> None:
    """Make an application serve the pages at `/` and `/docs`, or instructions to build them."""
    index, docs = _text(DIST / "index.html"), _text(DIST / "docs.html")
    assets = {} if index is None else _assets(DIST / "assets")
    router = APIRouter(include_in_schema=False)

    @router.api_route("/", methods=["GET", "HEAD"])
    async def get_page(request: Request) -> Response:
        """Return the page."""
        if index is not None:
            service_of(request).asked = True  # visitors will ask for positions
        return _answer(index, request, settings)

    @router.api_route("/docs", methods=["GET", "HEAD"])
    async def get_docs(request: Request) -> Response:
        """Return the page that documents the endpoints and lets users try them."""
        return _answer(docs, request, settings)

    @router.api_route("/assets/{name}", methods=["GET", "HEAD"])
    async def get_asset(name: str, request: Request) -> Response:
        """Return a file that the page refers to."""
        asset = assets.get(name)
        if asset is None:
            raise NotFound(f"The page has no file {name}.")
        cache = _FOR_EVER if "-" in name else _ASKED_EACH_TIME
        headers = {**PAGE_HEADERS, "Cache-Control": cache}
        if wanted_coding(request.headers.getlist("Accept-Encoding"), ("gzip",)):
            headers["Content-Encoding"] = "gzip"
            return Response(asset.gzip, headers=headers, media_type=asset.media_type)
        return Response(asset.body, headers=headers, media_type=asset.media_type)

    app.include_router(router)


def _assets(folder: Path) -> dict[str, Asset]:
    packed = sorted(folder.glob("*.gz"))
    plain = [path.with_suffix("") for path in packed]
    return {
        path.name: Asset(path.read_bytes(), gzip.read_bytes(), _MEDIA_TYPES[path.suffix])
        for path, gzip in zip(plain, packed, strict=True)
    }


def _text(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


def _answer(text: str | None, request: Request, settings: ApiSettings) -> Response:
    if text is None:
        return Response(_NOT_BUILT, HTTPStatus.SERVICE_UNAVAILABLE, PAGE_HEADERS, "text/html")
    return Response(_filled(text, request, settings), headers=PAGE_HEADERS, media_type="text/html")


def _filled(text: str, request: Request, settings: ApiSettings) -> str:
    """Return the page with the service's base path and the ages of old data filled in."""
    base = f"{request.scope.get('root_path', '')}/"
    filled = {
        "$BASE": html.escape(base),
        "$STALE_AFTER_S": f"{settings.stale_after.total_seconds():.0f}",
        "$BLIND_AFTER_S": f"{settings.blind_after.total_seconds():.0f}",
    }
    for name, value in filled.items():
        text = text.replace(name, value)
    return text
