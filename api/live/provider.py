"""An OpenID Connect provider: where people sign in, and what it says about them.

Authorization Code with PKCE (RFC 7636). Metadata and keys are fetched anew each time they are needed: that is
seldom, and so a key that the provider has changed is known at once.
"""

import base64
import hashlib
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from urllib.parse import quote_plus, urlencode

import httpx
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from api.errors import ProviderDown, SignInRefused
from api.settings import ProviderSettings, is_safe_address

CLOCK_SKEW = timedelta(minutes=2)  # between the provider and this machine
TIMEOUT_S = 5.0
# Signatures with a private key only: whoever knows a public key could make any other.
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512")
_RANDOM_BYTES = 32
_WELL_KNOWN = "/.well-known/openid-configuration"


class Begun(NamedTuple):
    """What a browser keeps while its user is at the provider."""

    state: str
    nonce: str
    verifier: str

    @classmethod
    def new(cls) -> "Begun":
        """Return three random texts."""
        return cls(*(secrets.token_urlsafe(_RANDOM_BYTES) for _ in cls._fields))


class Identified(NamedTuple):
    """What the provider says about a person, and the tokens by which it can be asked again."""

    subject: str
    claims: Mapping[str, Any]
    access_token: str
    refresh_token: str | None


class Provider:
    """Asks one provider. Any number of threads may do so."""

    def __init__(self, settings: ProviderSettings) -> None:
        self._settings = settings

    def address(self, begun: Begun, redirect_uri: str) -> str:
        """Return the address at the provider where somebody signs in.

        Raises:
            ProviderDown: it does not say where.
        """
        digest = hashlib.sha256(begun.verifier.encode()).digest()
        more = [scope for scope in self._settings.scopes.split(",") if scope]
        query = {
            "response_type": "code",
            "client_id": self._settings.client_id,
            "redirect_uri": redirect_uri,
            "scope": " ".join(["openid", "profile", *more]),
            "state": begun.state,
            "nonce": begun.nonce,
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }
        with self._client() as client:
            where = self._endpoint(self._metadata(client), "authorization_endpoint")
        return f"{where}{'&' if '?' in where else '?'}{urlencode(query)}"

    def identify(self, begun: Begun, code: str, redirect_uri: str, now: datetime) -> Identified:
        """Return whom the provider has identified, for the code that it gave the browser.

        Raises:
            ProviderDown: it cannot be asked.
            SignInRefused: it does not accept the code, or its answer is not valid.
        """
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": begun.verifier,
        }
        with self._client() as client:
            metadata = self._metadata(client)
            answer = self._tokens(client, metadata, form)
            if not isinstance(answer.get("id_token"), str):
                raise SignInRefused(f"{self._settings.host} has sent no ID token.")
            claims = self._verified(client, metadata, answer["id_token"], now)
            if claims.get("nonce") != begun.nonce:
                raise SignInRefused("The ID token was made for another sign-in: its nonce differs.")
            return self._identified(client, metadata, claims, answer, None)

    def confirm(self, before: Identified, now: datetime) -> Identified:
        """Return what the provider says now about a person whom it has identified before.

        It is asked for new tokens, if it gave a token for that: a provider refuses these for a blocked
        account, while some accept an access token until it expires. Otherwise it is asked about the person.

        Raises:
            ProviderDown: it cannot be asked.
            SignInRefused: it no longer confirms the person.
        """
        answer: Mapping[str, Any] = {"access_token": before.access_token}
        claims = {**before.claims}
        with self._client() as client:
            metadata = self._metadata(client)
            if before.refresh_token:
                form = {"grant_type": "refresh_token", "refresh_token": before.refresh_token}
                answer = self._tokens(client, metadata, form)
                if isinstance(answer.get("id_token"), str):
                    claims = self._verified(client, metadata, answer["id_token"], now)
            elif "userinfo_endpoint" not in metadata:
                raise SignInRefused(f"{self._settings.host} offers no way to confirm who is signed in.")
            return self._identified(client, metadata, claims, answer, before)

    def _identified(
        self,
        client: httpx.Client,
        metadata: Mapping[str, Any],
        claims: Mapping[str, Any],
        answer: Mapping[str, Any],
        before: Identified | None,
    ) -> Identified:
        """Add the person's record to the claims of the ID token; all must be about the same person."""
        subject, token = claims["sub"], str(answer.get("access_token", ""))
        record: Mapping[str, Any] = {}
        if "userinfo_endpoint" in metadata:
            where = self._endpoint(metadata, "userinfo_endpoint")
            record = self._json(client, "GET", where, headers={"Authorization": f"Bearer {token}"})
        if (before and before.subject != subject) or (record and record.get("sub") != subject):
            raise SignInRefused(f"{self._settings.host} has answered about different people.")
        refresh = answer.get("refresh_token") or (before.refresh_token if before else None)
        return Identified(subject, {**claims, **record}, token, refresh)

    def _verified(
        self, client: httpx.Client, metadata: Mapping[str, Any], token: str, now: datetime
    ) -> dict[str, Any]:
        """Return the claims of an ID token that this provider has signed for this service, and lately."""
        keys = self._json(client, "GET", self._endpoint(metadata, "jwks_uri"))
        us = self._settings.client_id
        rules = jwt.JWTClaimsRegistry(
            now=int(now.timestamp()),
            leeway=int(CLOCK_SKEW.total_seconds()),
            iss={"essential": True, "value": self._settings.issuer},
            sub={"essential": True},
            aud={"essential": True, "value": us},
            exp={"essential": True},
            iat={"essential": True},
        )
        try:
            claims = jwt.decode(token, KeySet.import_key_set(keys), algorithms=ALGORITHMS).claims  # type: ignore[arg-type]
            rules.validate(claims)
        except (JoseError, KeyError, TypeError, ValueError) as error:
            raise SignInRefused(f"The ID token of {self._settings.host} is not valid: {error}.") from error
        if claims.get("azp", us) != us or (_several(claims["aud"]) and "azp" not in claims):
            raise SignInRefused(f"The ID token of {self._settings.host} was made for another program.")
        return claims

    def _metadata(self, client: httpx.Client) -> Mapping[str, Any]:
        metadata = self._json(client, "GET", self._settings.issuer.rstrip("/") + _WELL_KNOWN)
        if metadata.get("issuer") != self._settings.issuer:
            raise ProviderDown(
                f"The metadata at {self._settings.host} are those of another issuer than SKYSIEVE_OIDC names."
            )
        return metadata

    def _endpoint(self, metadata: Mapping[str, Any], name: str) -> str:
        address = metadata.get(name)
        if not isinstance(address, str) or not is_safe_address(address):
            raise ProviderDown(f"The metadata at {self._settings.host} have no usable {name}.")
        return address

    def _tokens(
        self, client: httpx.Client, metadata: Mapping[str, Any], form: Mapping[str, str]
    ) -> Mapping[str, Any]:
        login = (self._settings.client_id, self._settings.client_secret)
        methods = metadata.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        where = self._endpoint(metadata, "token_endpoint")
        if "client_secret_basic" in methods:
            user, password = map(quote_plus, login)  # RFC 6749, 2.3.1
            return self._json(client, "POST", where, data=form, auth=httpx.BasicAuth(user, password))
        named = dict(zip(("client_id", "client_secret"), login, strict=True))
        return self._json(client, "POST", where, data={**form, **named})

    def _json(self, client: httpx.Client, method: str, address: str, **request: Any) -> Mapping[str, Any]:
        """Return the object that the provider answers."""
        try:
            answer = client.request(method, address, **request)
            content = answer.json()
        except (httpx.HTTPError, ValueError) as error:
            raise ProviderDown(f"{self._settings.host} cannot be reached, or gives no answer.") from error
        if answer.status_code in _REFUSING and ("data" in request or "headers" in request):
            why = content.get("error") if isinstance(content, dict) else None
            raise SignInRefused(f"{self._settings.host} refuses: {word(why) or answer.status_code}.")
        if not answer.is_success or not isinstance(content, dict):
            raise ProviderDown(f"{self._settings.host} has answered with status {answer.status_code}.")
        return content

    def _client(self) -> httpx.Client:
        return httpx.Client(timeout=TIMEOUT_S, headers={"Accept": "application/json"})


_REFUSING = (400, 401, 403)


def _several(audience: str | Sequence[str]) -> bool:
    return not isinstance(audience, str) and len(audience) > 1


def word(text: object) -> str:
    """Return the code of an error, which is a word of ASCII, empty if it is not."""
    return text if isinstance(text, str) and text.isascii() and text.replace("_", "").isalnum() else ""
