"""A provider that nobody here wrote, on loopback: oidc-provider-mock, which tests may also let misbehave."""

import base64
import hmac
import json
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import werkzeug.serving

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it uses what its own library will drop
    import flask
    import oidc_provider_mock
    from authlib.jose import JsonWebKey, jwt
    from authlib.oauth2.rfc7636 import create_s256_code_challenge

CLIENT_ID, CLIENT_SECRET = "skysieve-test", "s3cret of the client"
SECRET_SET = CLIENT_SECRET.replace(" ", "-")
PERSON = {"name": "Ada Example", "skysieve_organisation": "default", "skysieve_role": "operator"}


@dataclass
class Provider:
    """A running provider, and what it was asked."""

    url: str
    forms: list[dict[str, str]] = field(default_factory=list)  # that came for tokens
    challenges: list[str] = field(default_factory=list)
    # Changes the claims of an ID token before it is signed, or returns another token in its place.
    claims: dict[str, Any] = field(default_factory=dict)
    sign: Callable[[dict[str, Any], Any], str] | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    storage: Any = None

    @property
    def setting(self) -> str:
        """Return SKYSIEVE_OIDC for it."""
        return f"issuer={self.url} client_id={CLIENT_ID} client_secret={SECRET_SET}"

    def person(self, subject: str, **claims: object) -> None:
        """Give a person claims."""
        httpx.put(f"{self.url}/users/{subject}", json={**PERSON, **claims}).raise_for_status()

    def block(self, subject: str) -> None:
        """End what a person was given, as for a blocked account."""
        httpx.post(f"{self.url}/users/{subject}/revoke-tokens").raise_for_status()

    def new_key(self) -> Any:
        """Sign with another key from now on; return the one before."""
        before, self.storage.jwk = self.storage.jwk, JsonWebKey.generate_key("RSA", 2048, is_private=True)
        return before

    def sign_in(self, address: str, subject: str) -> str:
        """Do as a person would: choose an account; return the address that the browser is sent back to."""
        answer = httpx.post(address, data={"sub": subject})
        assert answer.status_code == 302, answer.text
        return answer.headers["Location"]


def with_key(claims: dict[str, Any], key: Any) -> str:
    """Return a token that a key has signed."""
    return jwt.encode({"alg": "RS256"}, claims, key).decode()


def without_private_key(claims: dict[str, Any], algorithm: str, key: bytes) -> str:
    """Return a token as anybody can make it: not signed, or with the public key as a secret."""
    parts = [json.dumps(part).encode() for part in ({"alg": algorithm}, claims)]
    text = b".".join(base64.urlsafe_b64encode(part).rstrip(b"=") for part in parts)
    signature = hmac.digest(key, text, "sha256") if key else b""
    return b".".join((text, base64.urlsafe_b64encode(signature).rstrip(b"="))).decode()


@contextmanager
def provider(*, refresh: bool = True) -> Iterator[Provider]:
    """Run a provider on a free port of this machine."""
    app = oidc_provider_mock.app(issue_refresh_token=refresh, require_nonce=True)
    app.debug = False
    server = werkzeug.serving.make_server("localhost", 0, app, threaded=True)
    running = Provider(f"http://localhost:{server.server_port}")

    @app.before_request
    def look() -> None:
        running.storage = flask.g.oidc_provider_mock_storage
        if flask.request.path == "/oauth2/authorize" and flask.request.method == "POST":
            assert flask.request.args["code_challenge_method"] == "S256"
            running.challenges.append(flask.request.args["code_challenge"])
        if flask.request.path == "/oauth2/token":
            form = flask.request.form.to_dict()
            running.forms.append(form)
            if form["grant_type"] == "authorization_code":  # it does not look at PKCE itself
                assert create_s256_code_challenge(form["code_verifier"]) == running.challenges[-1]
            assert flask.request.authorization is not None
            assert flask.request.authorization.username == CLIENT_ID
            assert flask.request.authorization.password == SECRET_SET

    @app.after_request
    def misbehave(answer: flask.Response) -> flask.Response:
        if flask.request.path == "/.well-known/openid-configuration" and running.metadata:
            answer.set_data(flask.json.dumps(answer.get_json() | running.metadata))
        if flask.request.path == "/oauth2/token" and "id_token" in (body := answer.get_json()):
            public = running.storage.jwk.as_dict(is_private=False)
            claims = dict(jwt.decode(body["id_token"], public)) | running.claims
            claims = {name: value for name, value in claims.items() if value is not None}
            if running.claims or running.sign:
                sign = running.sign or with_key
                body["id_token"] = sign(claims, running.storage.jwk)
                answer.set_data(flask.json.dumps(body))
        return answer

    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        httpx.get(f"{running.url}/.well-known/openid-configuration").raise_for_status()
        yield running
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def state_of(address: str) -> str:
    """Return the state in an address."""
    return parse_qs(urlsplit(address).query)["state"][0]
