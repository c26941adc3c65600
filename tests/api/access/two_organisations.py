"""A store that two organisations share: what the first has added carries a mark, which is searched for."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from api.app import create_app
from api.settings import ApiSettings
from storage.state.alerts.addresses import target
from storage.state.alerts.alerts import NewAlert, create_alert
from storage.state.alerts.deliveries import put_test
from storage.state.credentials import create_credential
from storage.state.feeds import create_feed
from storage.state.fleets import Fleet, FleetObject, NewFleet, create_fleet
from storage.state.operators.directory import NewEntry, add_entries
from storage.state.whose.organisations import add_organisation
from storage.vocabulary import ROLES
from tests.api.client import Client
from tests.api.conftest import NOW, Clock, header, plausible
from tests.made_up_run import WINDOW_START, make_run, publish
from tests.screening.orbits.texts.ephemerides.circling import oem
from tests.storage.fleets.planted import events_of, plant_events
from tests.storage.messages.received import text

MARK = "zzmark"
OWN_OBJECT, OTHER_OBJECT = 25544, 48274  # in the credentials of role flight: Alpha's, Beta's
TEXT = {"Content-Type": "text/plain"}


class Shared(NamedTuple):
    """The store, its service, and clients by organisation and role; what Alpha has added, by kind."""

    store: Path
    run_id: str
    clients: dict[str, Client]  # alpha-viewer, beta-admin and so on; beta-key, nobody
    ids: dict[str, str]  # fleet, alert, feed, message, event, told, path, hypothetical, delivery, object
    fleets: dict[str, Fleet]  # alpha, beta: of the same objects


def _fleet(store: Path, name: str, mark: str, numbers: list[int], organisation_id: int) -> Fleet:
    new = NewFleet(name, tuple(map(FleetObject, numbers)), contact=f"{mark} desk", manoeuvre_class="crewed")
    return create_fleet(store, new._replace(organisation_id=organisation_id), NOW)


@contextmanager
def shared_store(store: Path) -> Iterator[Shared]:
    """Serve a store in which Alpha has fleets, alerts, feeds, messages, paths and acknowledgements."""
    run_id = publish(store, plausible(make_run(conjunctions=60)))
    beta = add_organisation(store, "Beta").id
    clients, key_headers = {}, {}
    app = create_app(ApiSettings(store=store, rate_limit_per_minute=1_000_000), Clock())
    app.state.service.start()
    try:
        for name, number, flown in (("alpha", 1, OWN_OBJECT), ("beta", beta, OTHER_OBJECT)):
            for role in ROLES:
                made = create_credential(
                    store,
                    "bearer",
                    f"{MARK} {role}" if name == "alpha" else role,
                    datetime.now(UTC),
                    role=role,
                    objects=[flown] if role == "flight" else None,
                    organisation_id=number,
                )
                clients[f"{name}-{role}"] = Client(app, header("bearer", made.secret))
        key = create_credential(store, "api-key", "globe", datetime.now(UTC), organisation_id=beta)
        key_headers = header("api-key", key.secret)
        clients |= {"beta-key": Client(app, key_headers), "nobody": Client(app, {})}
        ids, fleets = _filled(store, run_id, clients["alpha-operator"], clients["alpha-flight"], beta)
        yield Shared(store, run_id, clients, ids, fleets)
    finally:
        app.state.service.stop()


def _filled(
    store: Path, run_id: str, alpha: Client, flight: Client, beta: int
) -> tuple[dict[str, str], dict[str, Fleet]]:
    events = events_of(store, run_id)
    first, second = (int(str(events[0][f"{who}_norad_id"])) for who in ("primary", "secondary"))
    fleets = {
        "alpha": _fleet(store, f"{MARK} fleet", MARK, [first], 1),
        "beta": _fleet(store, "beta fleet", "beta", [first], beta),
    }
    plant_events(store, run_id, fleets["alpha"], events[:1])
    plant_events(store, run_id, fleets["beta"], events[1:2])
    aim = target(f"https://{MARK}.example.org/hook", "webhook", allow_private=True)
    alert = create_alert(store, NewAlert(fleets["alpha"].id, aim, MARK, None), NOW)
    feed = create_feed(store, fleets["alpha"].id, MARK, None, NOW)
    add_entries(store, [NewEntry(MARK, name_pattern="*", email=f"{MARK}@example.org")], NOW)
    message_text = text(
        tca=WINDOW_START + timedelta(hours=30),
        made=NOW,
        message_id=f"{MARK}-1",
        originator=MARK.upper(),
        pair=(str(first), str(second + 70_000)),
        probability="2e-3",
    )
    source, headers = {"source": f"{MARK}.cdm"}, {**alpha.headers, **TEXT}
    answer = alpha.request("POST", "/messages", content=message_text, params=source, headers=headers)
    assert answer.status_code == 201, answer.text
    (message,) = answer.json()["ids"]
    told = alpha.get(f"/messages/{message}").json()["encounter_id"]

    def path(client: Client, **query: str) -> str:
        content = oem(metadata={"OBJECT_NAME": query.pop("name")})
        answer = client.request(
            "POST", "/trajectories", content=content, params=query, headers={**client.headers, **TEXT}
        )
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    hypothetical = path(alpha, name=MARK, kind="hypothetical", norad_id="99001", source=f"{MARK}.oem")
    definitive = path(
        flight, name="STATION", kind="definitive", norad_id=str(OWN_OBJECT), source="station.oem"
    )
    event = str(events[0]["event_id"])
    taken_on = alpha.request(
        "POST",
        f"/conjunctions/{event}/acknowledgements",
        json={"name": f"{MARK} Ana", "note": f"{MARK} note"},
    )
    assert taken_on.status_code == 201, taken_on.text
    ids = {
        "fleet": str(fleets["alpha"].id),
        "alert": str(alert.id),
        "feed": str(feed.id),
        "message": message,
        "told": str(told),
        "event": event,
        "path": definitive,
        "hypothetical": hypothetical,
        "delivery": put_test(store, alert.id, NOW).message.id,
        "object": str(first),
        "other": str(fleets["beta"].id),
    }
    return ids, fleets
