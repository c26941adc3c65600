"""SKYSIEVE_OIDC: what is read, what is refused, and that a refusal shows no secret."""

import subprocess
import sys
from pathlib import Path

import pytest

from api.settings import ApiSettings, provider_settings
from screening.errors import UsageError
from storage.settings import load_settings
from tests.api.conftest import serving

WHOLE = "issuer=https://id.example.org/realms/sky client_id=skysieve client_secret=a=b"


def test_it_has_the_login_and_the_claims() -> None:
    read = provider_settings(WHOLE)
    assert read is not None
    assert (read.host, read.client_secret) == ("id.example.org", "a=b")
    assert (read.organisation, read.role) == ("skysieve_organisation", "skysieve_role")
    assert provider_settings(" ") is None
    local = provider_settings("issuer=http://localhost:9000 client_id=x client_secret=y role=duty")
    assert local is not None
    assert (local.host, local.role) == ("localhost:9000", "duty")


@pytest.mark.parametrize(
    "text",
    [
        "https://id.example.org",
        "issuer=https://id.example.org client_id=x",
        f"{WHOLE} colour=red",
        f"{WHOLE} client_id=other",
        f"{WHOLE} role=",
        WHOLE.replace("https://", "http://"),
        WHOLE.replace("https://", "ftp://"),
        WHOLE.replace("https://", "https://me:hunter2@"),
    ],
)
def test_others_are_refused_without_showing_them(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKYSIEVE_OIDC", text.replace("a=b", "hunter2"))
    with pytest.raises(UsageError) as refusal:
        load_settings(ApiSettings)
    assert "SKYSIEVE_OIDC=***: Value error, expected" in str(refusal.value)
    assert "hunter2" not in str(refusal.value)


def test_without_it_there_is_no_such_sign_in(store: Path) -> None:
    with serving(store) as client:
        for path in ("/session/oidc", "/session/oidc/callback?code=x&state=y"):
            assert client.get(path).status_code == 404
        assert client.get("/session").json()["provider"] is None


@pytest.mark.processes
def test_without_it_its_library_is_not_imported(repository: Path) -> None:
    program = (
        "import sys, pathlib; from api.app import create_app; from api.settings import ApiSettings;"
        "create_app(ApiSettings(store=pathlib.Path('nowhere'))); print('joserfc' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=repository, check=True
    )
    assert done.stdout == "False\n"
