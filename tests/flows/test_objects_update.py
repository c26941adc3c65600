"""`skysieve objects update`, as users and scripts call it."""

from collections.abc import Callable

import pytest
from typer.testing import CliRunner, Result

from flows.settings import FlowSettings
from skysieve.command_line import app
from storage.state.object_facts import read_facts
from tests.flows.made_up_catalogue import gcat_tsv, listing_json, radii_csv, satcat_csv
from tests.flows.misbehaving_server import MisbehavingServer, by_path, status, text

TABLE = "HBR_Mass_Estimates_20261101_ForDistribution.csv"
Update = Callable[[], Result]


@pytest.fixture
def update(settings: FlowSettings, monkeypatch: pytest.MonkeyPatch) -> Update:
    monkeypatch.setenv("SKYSIEVE_CELESTRAK_URL", settings.celestrak_url)
    return lambda: CliRunner().invoke(app, ["objects", "update", "--store", str(settings.store)])


@pytest.mark.slow
def test_it_fetches_and_imports_all_and_asks_nobody_again(
    update: Update, server: MisbehavingServer, settings: FlowSettings
) -> None:
    server.answer = by_path(
        {
            "/pub/satcat.csv": text(satcat_csv(100)),
            "/listing": text(listing_json(TABLE)),
            f"/files/{TABLE}": text(radii_csv(50)),
            "/gcat.tsv": text(gcat_tsv(20)),
        }
    )
    first = update()
    assert first.exit_code == 0
    assert "SATCAT: satcat: 100 imported, 0 blank, 0 rejected." in first.output
    assert f"radii: {TABLE}: 50 imported, 0 blank, 0 rejected." in first.output
    assert "bodies: GCAT's satcat.tsv: 20 imported, 0 blank, 0 rejected; 0 new, 20 changed." in first.output
    assert f"Stored in {settings.store}; takes effect in the next run." in first.output
    facts = read_facts(settings.store)
    assert (len(facts.satcat), len(facts.radii), len(facts.bodies)) == (100, 50, 20)
    again = update()
    assert again.exit_code == 0
    assert again.output.count("nothing new. Checked at 2") == 3
    assert len(server.requests) == 4


def test_what_fails_is_told_and_the_rest_done(
    update: Update, server: MisbehavingServer, settings: FlowSettings
) -> None:
    server.answer = by_path({"/pub/satcat.csv": text(satcat_csv(100)), "/listing": status("429 Slow Down")})
    result = update()
    assert result.exit_code == 1
    assert "SATCAT: satcat: 100 imported" in result.output
    assert f"radii: {server.url}/listing answered 429 Slow Down." in result.output
    assert len(read_facts(settings.store).satcat) == 100
