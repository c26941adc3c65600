"""People who sign in by an OpenID Connect provider: who gets in, who does not, and for how long."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from api.access.page_session import BEGUN_COOKIE, COOKIE
from api.live import known_credentials
from api.live.people import CONFIRMED_EVERY
from storage.state.credentials import list_credentials, revoke_credential
from storage.state.whose.audit import entries
from storage.state.whose.organisations import add_organisation
from tests.api.access.provider import Provider, provider, state_of, with_key, without_private_key
from tests.api.client import Client
from tests.api.conftest import Clock, plausible, serving
from tests.made_up_run import make_run, publish

pytestmark = [
    pytest.mark.processes,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::authlib.deprecate.AuthlibDeprecationWarning"),
]
CALLBACK = "/session/oidc/callback"


class Desk(NamedTuple):
    """A service, its clock, and the provider by which people sign in there."""

    client: Client
    clock: Clock
    provider: Provider
    store: Path

    def begin(self) -> tuple[str, str]:
        """Return the address at the provider, and the cookie of the browser that is sent there."""
        answer = self.client.without_credential().get("/session/oidc")
        assert answer.status_code == 303, answer.text
        cookie = SimpleCookie(answer.headers["Set-Cookie"])[BEGUN_COOKIE]
        assert (cookie["httponly"], cookie["samesite"]) == (True, "lax")
        return answer.headers["Location"], f"{BEGUN_COOKIE}={cookie.value}"

    def come_back(self, subject: str = "ada") -> httpx.Response:
        """Sign in at the provider, and return how the service answers the browser that comes back."""
        address, cookie = self.begin()
        return self.back(self.provider.sign_in(address, subject), cookie)

    def back(self, address: str, cookie: str) -> httpx.Response:
        """Return how the service answers a browser that comes back to an address."""
        return Client(self.client.app, {"Cookie": cookie}).get(address)

    def signed_in(self, subject: str = "ada") -> Client:
        """Return a browser whose user is signed in."""
        answer = self.come_back(subject)
        assert answer.status_code == 303, answer.text
        assert answer.headers["Location"] == "/"
        cookie = next(
            SimpleCookie(text)[COOKIE]
            for text in answer.headers.get_list("Set-Cookie")
            if text.startswith(COOKIE)
        )
        assert (cookie["httponly"], cookie["samesite"].lower()) == (True, "strict")
        return Client(self.client.app, {"Cookie": f"{COOKIE}={cookie.value}"})


@pytest.fixture
def clock() -> Clock:
    return Clock(datetime.now(UTC))


@pytest.fixture
def there() -> Iterator[Provider]:
    with provider() as running:
        running.person("ada")
        yield running


@pytest.fixture
def desk(store: Path, clock: Clock, there: Provider, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setattr(known_credentials, "MAX_AGE_S", -1.0)
    publish(store, plausible(make_run()))
    with serving(store, clock, oidc=there.setting) as client:
        yield Desk(client, clock, there, store)


def refused(answer: httpx.Response, *said: str, status: int = 403) -> None:
    assert answer.status_code == status, answer.text
    assert answer.headers["Content-Type"].startswith("text/html")
    assert not any(text.startswith(COOKIE) for text in answer.headers.get_list("Set-Cookie"))
    for words in said:
        assert words in answer.text


def test_a_person_signs_in_and_has_role_and_organisation(desk: Desk) -> None:
    alpha = add_organisation(desk.store, "Alpha")
    desk.provider.person("ada", skysieve_organisation="alpha")
    page = desk.signed_in()
    state = page.get("/session").json()
    assert (state["signed_in"], state["name"], state["role"]) == (True, "Ada Example (ada)", "operator")
    assert (state["organisation"], state["provider"]) == ("Alpha", urlsplit(desk.provider.url).netloc)
    assert page.get("/runs/current").status_code == 200
    assert page.get("/credentials").status_code == 403
    person = list_credentials(desk.store, alpha.id)[0]
    assert (person.name, person.role, person.objects) == ("Ada Example (ada)", "operator", ())
    (entry,) = entries(desk.store, organisation_id=alpha.id)[-1:]
    assert (entry.who, entry.operation) == ("Ada Example (ada)", "GET /session/oidc/callback")
    assert (entry.result, entry.object, entry.credential_id) == ("303", "", person.id)


def test_what_a_person_changes_is_in_the_audit_log_by_name_and_subject(desk: Desk) -> None:
    page = desk.signed_in()
    fleet = {"name": "MINE", "objects": [{"norad_id": 1}]}
    answer = page.request("POST", "/fleets", json=fleet, headers={**page.headers, "X-Requested-With": "page"})
    assert answer.status_code == 201, answer.text
    entry = entries(desk.store)[0]
    assert (entry.who, entry.operation, entry.result) == ("Ada Example (ada)", "POST /fleets", "201")


def test_a_person_is_one_credential_however_often_and_tokens_work_beside(desk: Desk) -> None:
    for _ in range(3):
        desk.signed_in()
    assert [one.name for one in list_credentials(desk.store)] == ["test", "Ada Example (ada)"]
    assert desk.client.get("/runs/current").status_code == 200
    secret = f"skysieve_bearer_{list_credentials(desk.store)[1].id}_{'A' * 43}"
    header = {"Authorization": f"Bearer {secret}"}
    assert desk.client.get("/runs/current", headers=header).status_code == 401


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        ({"iss": "https://elsewhere.example"}, "iss"),
        ({"aud": "another-program"}, "aud"),
        ({"aud": ["another-program"]}, "aud"),
        ({"aud": ["skysieve-test", "another-program"], "azp": "another-program"}, "another program"),
        ({"aud": ["skysieve-test", "another-program"]}, "another program"),
        ({"nonce": "another"}, "nonce"),
        ({"nonce": None}, "nonce"),
        ({"exp": None}, "exp"),
        ({"iat": None}, "iat"),
        ({"sub": "somebody-else"}, "different people"),
    ],
)
def test_an_id_token_for_others_is_refused(desk: Desk, claims: dict[str, Any], said: str) -> None:
    desk.provider.claims = claims
    refused(desk.come_back(), said)
    desk.provider.claims = {"aud": ["skysieve-test"], "azp": "skysieve-test"}
    desk.signed_in()


def test_a_token_that_the_provider_has_not_signed_is_refused(desk: Desk) -> None:
    before = desk.provider.new_key()
    desk.provider.sign = lambda claims, _key: with_key(claims, before)
    refused(desk.come_back(), "not valid")
    public = desk.provider.storage.jwk.as_pem(is_private=False)
    for algorithm, key in (("none", b""), ("HS256", public)):  # which needs no private key
        desk.provider.sign = lambda claims, _key, a=algorithm, k=key: without_private_key(claims, a, k)
        refused(desk.come_back(), "not valid")
    desk.provider.sign = lambda claims, key: with_key(claims, key)[:-8] + "AAAAAAAA"
    refused(desk.come_back(), "not valid")


def test_a_new_key_of_the_provider_is_accepted_at_once(desk: Desk) -> None:
    desk.signed_in()
    desk.provider.new_key()
    desk.signed_in()


@pytest.mark.parametrize(
    ("off", "works"), [(-100, True), (-180, False), (3600 + 100, True), (3600 + 180, False)]
)
def test_clocks_may_differ_by_two_minutes(desk: Desk, off: int, works: bool) -> None:
    """Behind, the token is from the future; ahead by its hour and more, it has expired."""
    desk.clock.time = datetime.now(UTC) + timedelta(seconds=off)
    if works:
        desk.signed_in()
    else:
        refused(desk.come_back(), "future" if off < 0 else "expired")


def test_a_code_works_once_and_in_its_browser_only(desk: Desk) -> None:
    address, cookie = desk.begin()
    back = desk.provider.sign_in(address, "ada")
    refused(desk.back(back, ""), "not begun in this browser")
    _, other = desk.begin()
    refused(desk.back(back, other), "not begun in this browser")
    first = desk.back(back, cookie)
    assert first.status_code == 303
    assert any(text.startswith(f'{BEGUN_COOKIE}=""') for text in first.headers.get_list("Set-Cookie"))
    refused(desk.back(back, cookie), "invalid_grant")
    refused(desk.back(f"{back}&iss=https://elsewhere.example", cookie), "not from")


def test_a_code_of_another_sign_in_is_refused(desk: Desk) -> None:
    """The nonce of the ID token is that of whoever began it."""
    address, _ = desk.begin()
    stolen = parse_qs(urlsplit(desk.provider.sign_in(address, "ada")).query)["code"][0]
    own, cookie = desk.begin()
    desk.provider.challenges.append(parse_qs(urlsplit(own).query)["code_challenge"][0])
    refused(desk.back(f"{CALLBACK}?code={stolen}&state={state_of(own)}", cookie), "nonce")


def test_nobody_is_sent_elsewhere(desk: Desk) -> None:
    for wish in ("next", "return_to", "redirect_uri"):
        answer = desk.client.get(f"/session/oidc?{wish}=https://evil.example/")
        assert "evil" not in answer.headers["Location"]
        query = parse_qs(urlsplit(answer.headers["Location"]).query)
        assert query["redirect_uri"] == [f"http://localhost{CALLBACK}"]
    address, cookie = desk.begin()
    back = desk.provider.sign_in(address, "ada")
    assert desk.back(f"{back}&next=https://evil.example/", cookie).headers["Location"] == "/"
    evil = {"Host": "evil.example"}
    assert desk.client.get("/session/oidc", headers=evil).status_code == 421


def test_a_refusal_of_the_provider_is_shown_without_markup(desk: Desk) -> None:
    address, cookie = desk.begin()
    denied = f"{CALLBACK}?state={state_of(address)}&error="
    refused(desk.back(f"{denied}access_denied", cookie), "access_denied")
    answer = desk.back(f"{denied}<script>alert(1)</script>", cookie)
    refused(answer, "it sent no code")
    assert "<script" not in answer.text
    desk.client.app.state.service.refused.write()
    assert {(one.operation, one.object, one.result) for one in entries(desk.store)} == {
        ("GET /session/oidc/callback", "2 times", "403")
    }


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        ({"skysieve_role": None}, ["skysieve_role=None"]),
        ({"skysieve_role": "root"}, ["skysieve_role=&#x27;root&#x27;", "viewer, operator and admin"]),
        ({"skysieve_role": "flight"}, ["needs a token"]),
        ({"skysieve_organisation": ["default"]}, ["skysieve_organisation=[&#x27;default&#x27;]"]),
        ({"skysieve_organisation": "Nobody"}, ["no such organisation", "Nobody", "name, "]),
    ],
)
def test_without_role_and_organisation_nobody_gets_in(
    desk: Desk, claims: dict[str, Any], said: list[str]
) -> None:
    desk.provider.person("ada", **claims)
    refused(desk.come_back(), "may do nothing here", *said)
    assert [one.name for one in list_credentials(desk.store)] == ["test"]


def test_the_names_of_the_claims_are_settings(store: Path, clock: Clock, there: Provider) -> None:
    setting = f"{there.setting} organisation=company role=duty scopes=email"
    there.person("bob", company="default", duty="viewer")
    publish(store, plausible(make_run()))
    with serving(store, clock, oidc=setting) as client:
        desk = Desk(client, clock, there, store)
        assert parse_qs(urlsplit(desk.begin()[0]).query)["scope"] == ["openid profile email"]
        assert desk.signed_in("bob").get("/session").json()["role"] == "viewer"


def test_a_blocked_account_is_refused_within_five_minutes(desk: Desk) -> None:
    page = desk.signed_in()
    desk.clock.time += CONFIRMED_EVERY
    assert page.get("/runs/current").status_code == 200
    assert desk.provider.forms[-1]["grant_type"] == "refresh_token"
    desk.provider.block("ada")
    desk.clock.time += CONFIRMED_EVERY
    answer = page.get("/runs/current")
    assert answer.status_code == 401
    assert "invalid_grant" in answer.json()["detail"]
    assert page.get("/session").json()["signed_in"] is False
    asked = len(desk.provider.forms)
    assert page.get("/runs/current").status_code == 401
    assert len(desk.provider.forms) == asked


def test_it_is_asked_once_for_many_requests_and_for_twelve_hours_at_most(desk: Desk) -> None:
    begun = desk.clock.time
    page = desk.signed_in()
    for _ in range(5):
        assert page.get("/runs/current").status_code == 200
    assert len(desk.provider.forms) == 1
    desk.clock.time = begun + timedelta(minutes=59)  # nobody was there, and its row may be removed meanwhile
    desk.signed_in("ada")
    assert page.get("/runs/current").status_code == 200
    desk.clock.time = begun + timedelta(hours=12)
    answer = page.get("/runs/current")
    assert answer.status_code == 401
    assert "sign in again" in answer.json()["detail"]


def test_requests_at_the_same_time_ask_once(desk: Desk) -> None:
    """A refresh token is often good for one use: a second one would end the session."""
    page = desk.signed_in()
    desk.clock.time += CONFIRMED_EVERY
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: page.get("/runs/current").status_code, range(16)))
    assert answers == [200] * 16
    assert [form["grant_type"] for form in desk.provider.forms] == ["authorization_code", "refresh_token"]


def test_a_role_that_is_taken_away_there_ends_here(desk: Desk) -> None:
    desk.provider.person("ada", skysieve_role="admin")
    page = desk.signed_in()
    assert page.get("/credentials").status_code == 200
    desk.provider.person("ada", skysieve_role="viewer")
    desk.clock.time += CONFIRMED_EVERY
    assert page.get("/credentials").status_code == 403
    assert page.get("/runs/current").status_code == 200
    desk.provider.person("ada", skysieve_role=None)
    desk.clock.time += CONFIRMED_EVERY
    assert "may do nothing here" in page.get("/runs/current").json()["detail"]


@pytest.mark.parametrize("blocked", [True, False])
def test_without_tokens_for_new_ones_the_person_is_asked_about(
    store: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch, blocked: bool
) -> None:
    monkeypatch.setattr(known_credentials, "MAX_AGE_S", -1.0)
    publish(store, plausible(make_run()))
    with provider(refresh=False) as there, serving(store, clock, oidc=there.setting) as client:
        there.person("ada")
        page = Desk(client, clock, there, store).signed_in()
        if blocked:
            there.block("ada")
        clock.time += CONFIRMED_EVERY
        assert page.get("/runs/current").status_code == (401 if blocked else 200)
        assert [form["grant_type"] for form in there.forms] == ["authorization_code"]


def test_signing_out_and_a_revocation_here_end_it(desk: Desk) -> None:
    page = desk.signed_in()
    header = {**page.headers, "X-Requested-With": "page"}
    assert page.request("DELETE", "/session", headers=header).status_code == 204
    desk.clock.time += CONFIRMED_EVERY
    assert page.get("/runs/current").status_code == 401
    page = desk.signed_in()
    person = list_credentials(desk.store)[1]
    revoke_credential(desk.store, person.id, desk.clock.time)
    assert page.get("/runs/current").status_code == 401
    refused(desk.come_back(), f"Credential {person.id} is revoked")


def test_with_the_provider_down_nobody_signs_in_and_tokens_work(
    store: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known_credentials, "MAX_AGE_S", -1.0)
    publish(store, plausible(make_run()))
    with provider() as there:
        there.person("ada")
        with serving(store, clock, oidc=there.setting) as client:
            page = Desk(client, clock, there, store).signed_in()
    with serving(store, clock, oidc=there.setting) as client:  # it was down when the service started
        refused(client.get("/session/oidc"), "cannot be reached", "a token works", status=502)
        assert client.get("/runs/current").status_code == 200
        assert client.get("/session").json()["provider"] is not None
        restarted = Client(client.app, page.headers)
        assert restarted.get("/runs/current").status_code == 200
        clock.time += CONFIRMED_EVERY
        assert restarted.get("/runs/current").status_code == 401  # nobody knows any more whom to ask about


def test_a_provider_that_goes_down_confirms_nobody_until_it_is_back(desk: Desk) -> None:
    page = desk.signed_in()
    desk.provider.metadata = {"issuer": "https://elsewhere.example"}
    desk.clock.time += CONFIRMED_EVERY - timedelta(seconds=2)
    assert page.get("/runs/current").status_code == 200
    desk.clock.time += timedelta(seconds=2)
    answer = page.get("/runs/current")
    assert answer.status_code == 401
    assert "cannot confirm" in answer.json()["detail"]
    refused(desk.client.get("/session/oidc"), "another issuer", status=502)
    assert desk.client.get("/runs/current").status_code == 200
    desk.provider.metadata = {}
    assert page.get("/runs/current").status_code == 401  # not asked at each request
    desk.clock.time += timedelta(seconds=10)
    assert page.get("/runs/current").status_code == 200


@pytest.mark.parametrize(
    "name", ["authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"]
)
def test_nothing_is_sent_where_others_can_listen(desk: Desk, name: str) -> None:
    address, cookie = desk.begin()
    back = desk.provider.sign_in(address, "ada")
    desk.provider.metadata = {name: "http://192.0.2.1/x"}
    answer = desk.client.get("/session/oidc") if name[0] == "a" else desk.back(back, cookie)
    refused(answer, f"no usable {name}", status=502)
