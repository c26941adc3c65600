"""Draw the figures of docs/python.md and docs/cookbook.md with skysieve.plot.

Run from the folder that holds the store `example`, which docs/cookbook.md says how to make:
python docs/pictures/plots.py.
"""

from pathlib import Path

import skysieve

HERE = Path(__file__).resolve().parent


def main() -> None:
    """Draw the pictures."""
    store = skysieve.open_store("example")
    events = store.conjunctions()
    likeliest = store.event(events["event_id"][events["probability_best"].idxmax()])
    moved = events[events["probability_level"] >= "high"]["event_id"]
    histories = store.sql("SELECT event_id, miss_distance_m FROM conjunction_history")
    misses_m = histories[histories["event_id"].isin(moved)].groupby("event_id")["miss_distance_m"]
    developed = store.event((misses_m.max() - misses_m.min()).idxmax())
    starlink = events["secondary_name"].astype(str).str.startswith("STARLINK")
    movable = store.event(events["event_id"][starlink & (events["probability_method"] == "2d")].iloc[0])
    for name, figure in (
        ("decision", skysieve.plot.decision_plot(store, most=50)),
        ("encounter_plane", skysieve.plot.encounter_plane(likeliest)),
        ("globe_track", skysieve.plot.globe_track(likeliest)),
        ("trend", skysieve.plot.trend(developed)),
        ("trade_space", skysieve.plot.trade_space(movable)),
    ):
        figure.savefig(HERE / f"plot_{name}.png", dpi=100, metadata={"Software": None})


if __name__ == "__main__":
    main()
