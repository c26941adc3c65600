"""Answers about a fleet, made up from the events of a real run: what the page draws a fleet's home from."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
from playwright.sync_api import Page, Route

from storage.times import parse_time as instant

LEVELS = ("critical", "high", "medium", "low")
CHANCES = {"critical": 3e-4, "high": 3e-5, "medium": 3e-6, "low": 3e-7}


def time_text(hours: float) -> str:
    now = datetime.now(UTC).replace(microsecond=0)
    return (now + timedelta(hours=hours)).isoformat().replace("+00:00", "Z")


class FleetAnswers:
    """A fleet of so many satellites; of each third one or more events."""

    def __init__(self, ask: httpx.Client, satellites: int = 12) -> None:
        self.ask = ask
        self.sample = ask.get("/conjunctions?limit=1").raise_for_status().json()["conjunctions"][0]
        self.events = [
            self._event(number, LEVELS[number % 4], 40_000 + 3 * (number % ((satellites + 2) // 3)))
            for number in range(1, 1 + satellites)
        ]
        self.events.sort(key=lambda event: LEVELS.index(event["probability_level"]))
        self.satellites = [self._satellite(i) for i in range(satellites)]
        self.changes: dict[str, Any] = {
            "run_id": "20261121T120000Z",
            "before_run_id": "20261121T060000Z",
            "new": [self.events[0]["id"]],
            "raised": [{"id": self.events[-1]["id"], "before": "low"}],
            "eased": [{"id": self.events[len(self.events) // 2]["id"], "before": "critical"}],
            "gone": [
                {
                    "id": 77,
                    "norad_id": 40_002,
                    "name": "MINE 2",
                    "other_norad_id": 5,
                    "other_name": "VANGUARD 1",
                    "tca": time_text(9),
                    "risk_level": "high",
                    "probability_level": "high",
                    "near_level": None,
                }
            ],
        }
        self.fleet: dict[str, Any] = {
            "id": 7,
            "name": "mine; <b>ours</b>",
            "created": time_text(-48),
            "made_by": "desk",
            "contact": "ops@example.org",
            "volume": "box:2x25x25",
            "hours": 72.0,
            "radius": "shadow",
            "manoeuvre_class": "automated",
            "name_pattern": "",
            "objects": [
                {"norad_id": one["norad_id"], "volume": None, "hours": None} for one in self.satellites
            ],
            "members": satellites - 1,
            "unknown": [40_001],
            "searching": False,
            "search_problem": None,
        }
        self.lives: dict[str, Any] = {"run_id": "", "satellites": [], "total": 0}
        self.sure = [
            {
                "id": event["id"],
                "probability_low": event["probability_best"] / 4,
                "probability_high": event["probability_best"] * 3,
                "former": [
                    {"hours_to_tca": 20.0 + hours, "probability": event["probability_best"] / 9}
                    for hours in (0.0, 6.0)
                ],
            }
            for event in self.events
        ]
        self.outside: list[dict[str, Any]] = []
        self.alerts: list[dict[str, Any]] = []
        self.means: dict[str, Any] = {}  # what stands in the way of alerts
        self.deliveries: list[dict[str, Any]] = []
        self.feeds: list[dict[str, Any]] = []
        self.sent: list[tuple[str, str, Any, dict[str, str]]] = []

    def _satellite(self, place: int) -> dict[str, Any]:
        mine = [event for event in self.events if event["fleet_norad_id"] == 40_000 + place]
        return {
            "norad_id": 40_000 + place,
            "name": f"MINE {place}",
            "found": place != 1,
            "events": len(mine),
            "worst": mine[0]["probability_level"] if mine else None,
            "next_tca": min((event["tca"] for event in mine), default=None),
        }

    def _event(self, number: int, level: str, norad_id: int) -> dict[str, Any]:
        return self.sample | {
            "id": number,
            "risk_level": level,
            "probability_level": level,
            "probability_best": CHANCES[level],
            "near_level": None,
            "miss_distance_m": 2000.0,
            "tca": time_text(0.5 + 0.9 * number % 23),
            "primary_norad_id": norad_id,
            "primary_name": f"MINE {norad_id - 40_000}",
            "secondary_norad_id": 100 + number,
            "secondary_name": f"OTHER {number} DEB",
            "fleet_norad_id": norad_id,
            "volume": "box:2x25x25",
            "fleet_miss_radial_km": 0.12,
            "fleet_miss_in_track_km": -3.4,
            "fleet_miss_cross_track_km": 5.67,
            "fleet_hard_body_radius_m": None,
        }

    def _workload(self) -> dict[str, Any]:
        rates = (
            "approaches_1km_day",
            "approaches_5km_day",
            "within_1km_day",
            "within_5km_day",
            "collisions_year",
        )
        counts = {"run_id": "", "days": 1.0, "objects": len(self.satellites)}
        return counts | dict.fromkeys(rates, 0.0) | {"shares": []}

    def install(self, page: Page) -> None:
        """Answer the page's requests about the fleet."""
        page.route("**/fleets?*", self._told(lambda: {"fleets": [self.fleet], "total": 1}))
        # What is of the fleet elsewhere on the page is the real run's.
        page.route("**/overview?fleet=7", self._told(lambda: self._real("/runs/current/overview")))
        page.route("**/conjunctions?*fleet=7*", self._told(lambda: self._real("/conjunctions?limit=50")))
        page.route("**/fleets", self._told(lambda: self.fleet, 201))
        page.route("**/fleets/7", self._told(lambda: self.fleet))
        page.route("**/fleet-standings?*", self._told(self._standing))
        page.route("**/fleets/7/members", self._told(lambda: {"members": self.members()}))
        page.route("**/fleets/7/outside?*", self._told(self._outside))
        page.route("**/fleets/7/satellites", self._told(lambda: {"satellites": self.satellites}))
        page.route("**/fleets/7/conjunctions?*", self._page)
        page.route("**/conjunctions?fleet=7*", self._page)
        page.route("**/fleets/7/decision", self._told(lambda: {"run_id": "", "events": self.sure}))
        page.route("**/environment/workload?fleet=7", self._told(self._workload))
        page.route("**/fleets/7/remaining-life", self._told(lambda: self.lives))
        page.route("**/fleets/7/changes", self._told(lambda: self.changes))
        page.route("**/fleets/7/feeds", self._told(lambda: {"feeds": self.feeds, "total": len(self.feeds)}))
        page.route("**/fleets/7/feeds/*", self._told(lambda: None))
        page.route("**/alerts?*", self._told(self._alerts))
        page.route("**/alerts/*/secret", self._told(lambda: {"id": 1, "secret": "whsec_bmV1"}))
        page.route("**/alerts", self._told(self._alerts))
        page.route("**/alerts/*", self._told(lambda: None))
        page.route("**/alerts/*/test", self._told(dict))
        page.route(
            "**/alerts/*/deliveries",
            self._told(lambda: {"deliveries": self.deliveries, "total": len(self.deliveries)}),
        )
        page.route("**/deliveries/*/retry", self._told(dict))

    def _real(self, address: str) -> Any:
        return self.ask.get(address).raise_for_status().json()

    def members(self) -> list[dict[str, Any]]:
        """Return the objects of the newest run that are the fleet's."""
        numbers = [one["norad_id"] for one in self.fleet["objects"]]
        return [
            {"norad_id": number, "name": f"MINE {number - 40_000}"}
            for number in numbers
            if number not in self.fleet["unknown"]
        ]

    def _outside(self) -> dict[str, Any]:
        return {
            "run_id": "",
            "total": len(self.outside),
            "by_level": {
                level: sum(one["probability_level"] == level for one in self.outside)
                for level in ("critical", "high", "medium", "unknown", "low")
            },
            "conjunctions": self.outside,
        }

    def _standing(self) -> dict[str, Any]:
        looked = self.changes["run_id"] is not None
        coming = {
            "events": len(self.events),
            "worst": self.events[0]["probability_level"] if self.events else None,
            "next_tca": None,
            "new": len(self.changes["new"]),
        }
        further = {
            "events": len(self.outside),
            "worst": self.outside[0]["probability_level"] if self.outside else None,
        }
        one = {"id": 7, "coming": coming if looked else None, "outside": further}
        return {"fleets": [one | {"alerts_on": len(self.alerts), "alerts_off": 0}], "total": 1}

    def _alerts(self) -> dict[str, Any]:
        now = datetime.now(UTC).isoformat().replace("+00:00", "Z")
        return {"alerts": self.alerts, "mail_server": True, "last_delivering": now, **self.means}

    def _page(self, route: Route) -> None:
        asked = parse_qs(urlsplit(route.request.url).query)
        since = instant(asked.get("tca_from", ["1957-10-04T00:00:00Z"])[0])
        miss_m = float(asked.get("max_miss_m", ["inf"])[0])
        ahead = [
            one for one in self.events if instant(one["tca"]) >= since and one["miss_distance_m"] <= miss_m
        ]
        page = {
            "conjunctions": ahead[: int(asked["limit"][0])],
            "total": len({one["id"] for one in ahead}),
            "next": None,
        }
        route.fulfill(body=json.dumps(page), content_type="application/json")

    def _told(self, content: Callable[[], Any], made_status: int = 200) -> Callable[[Route], None]:
        def answer(route: Route) -> None:
            request = route.request
            if request.method == "GET":
                body, status = content(), 200
            else:
                path = urlsplit(request.url).path
                self.sent.append((request.method, path, request.post_data_json, request.headers))
                body, status = self._changed(request.method, path, request.post_data_json, content)
            route.fulfill(status=status, body=json.dumps(body), content_type="application/json")

        return answer

    def _changed(self, method: str, path: str, given: Any, content: Callable[[], Any]) -> tuple[Any, int]:
        if method == "DELETE":
            number = int(path.rsplit("/", 1)[1])
            self.alerts = [one for one in self.alerts if one["id"] != number]
            self.feeds = [one for one in self.feeds if one["id"] != number]
            return None, 204
        if path.endswith("/alerts"):
            alert = self.alert(len(self.alerts) + 1, **given)
            self.alerts.append(alert)
            return alert | {"secret": "whsec_c2VjcmV0" if given["channel"] == "webhook" else None}, 201
        if path.endswith("/feeds"):
            feed = {"id": len(self.feeds) + 1, "created": time_text(0), "made_by": "desk", "ended": False}
            self.feeds.append(feed)
            below = "https://sky.example.org/fleets/7"
            return feed | {"calendar": f"{below}/calendar.ics?key=k", "atom": f"{below}/feed.atom?key=k"}, 201
        return content(), 200

    def alert(self, number: int, **given: Any) -> dict[str, Any]:
        """Return an alert of this fleet."""
        return {
            "id": number,
            "fleet_id": 7,
            "fleet": self.fleet["name"],
            "channel": "webhook",
            "address": "https://hooks.example.org/sky",
            "level": "high",
            "near_m": 500.0,
            "min_probability": None,
            "digest_hours": None,
            "daily": False,
            "manoeuvres": False,
            "acknowledgements": False,
            "created": time_text(-24),
            "made_by": "desk",
            "off_since": None,
            "off_reason": "",
            "waiting": 0,
            "last_delivered": None,
            **given,
        }
