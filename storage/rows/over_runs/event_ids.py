"""Assign event ids that an encounter keeps from run to run, although its computed TCA moves a little."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from storage.rows.row_hashes import row_hash
from storage.rows.row_order import row_order

SAME_ENCOUNTER = np.timedelta64(10, "m")  # TCAs of one encounter in two runs; visits may overlap instead
ID_BITS = 53  # numbers in JavaScript and JSON are exact up to here
MAX_EVENT_ID = 2**ID_BITS - 1
AT_A_TIME = 100_000  # new events that are matched at a time, 30 MB; more only of a single pair

Indices = npt.NDArray[np.intp]
EventIds = npt.NDArray[np.int64]
EventArray = npt.NDArray[np.void]

# A fast event has `begin` = `end` = `tca`. `event_id` is unused in a new event.
EVENT_DTYPE = np.dtype(
    [
        ("primary_norad_id", "i4"),
        ("secondary_norad_id", "i4"),
        ("tca", "M8[us]"),
        ("slow", "?"),
        ("begin", "M8[us]"),
        ("end", "M8[us]"),
        ("event_id", "i8"),
    ]
)


def none_seen(_new: EventArray) -> EventArray:
    """Return no events."""
    return np.zeros(0, EVENT_DTYPE)


def assign_event_ids(
    new: EventArray,
    known: EventArray,
    ids_of_others: Callable[[EventArray], EventIds],
    seen_before: Callable[[EventArray], EventArray] = none_seen,
) -> EventIds:
    """Return an id for each new event (n,) of EVENT_DTYPE.

    An event takes the id of the known event (m,) of the same two objects, in either order, with the nearest
    TCA, if that lies within SAME_ENCOUNTER or, where one of them is slow, if their time spans overlap. Two
    visits that each contain the TCA of the other come first: a TCA may jump by hours, from one minimum of a
    visit to another, and then lie nearer to that of the next visit. Each known id is given once.

    What is left over is matched in the same way with the events that `seen_before` returns for it (k,), so
    that an encounter that one run has missed keeps its id. The rest get their hash, counted up if it is known
    or another's: `ids_of_others` is asked for the ids that must not be given to them. The order of the events
    does not matter.
    """
    ids = _matched_ids(new, known)
    left, taken = np.flatnonzero(ids == 0), known["event_id"]
    if len(left):
        before = seen_before(new.take(left))  # records are taken: brackets take five times as long
        before = before[~np.isin(before["event_id"], taken)]
        taken = np.concatenate((taken, before["event_id"]))
        ids[left] = _matched_ids(new.take(left), before)
        left = left[ids[left] == 0]
    if len(left):
        left = left[_by_pair(new.take(left))]
        fresh = new.take(left)
        ids[left] = _unused(hashed_ids(fresh), np.unique(np.concatenate((taken, ids_of_others(fresh)))))
    return ids


def _matched_ids(new: EventArray, known: EventArray) -> EventIds:
    """Return the id of the known event that each new one (n,) is; 0 for none."""
    ids = np.zeros(len(new), np.int64)
    if not len(known):
        return ids
    order = _by_pair(new)
    for here, there in _same_pairs(pair_key(new)[order], known):
        ids[order[here]] = _ids_of_known(new.take(order[here]), known.take(there))
    return ids


def joined(parts: Sequence[npt.NDArray[np.void]], kind: np.dtype[np.void]) -> npt.NDArray[np.void]:
    """Return records of a kind in one array (n,); numpy would copy them field by field, which is slow."""
    octets = [np.ascontiguousarray(part).view(np.uint8) for part in parts]
    return np.concatenate([np.zeros(0, np.uint8), *octets]).view(kind)


def hashed_ids(events: EventArray) -> EventIds:
    """Return the ids (n,), 1..MAX_EVENT_ID, that follow from pair and TCA alone."""
    hashed = row_hash((pair_key(events), events["tca"])) >> np.uint64(64 - ID_BITS)
    return np.maximum(hashed.astype(np.int64), 1)


def pair_key(events: EventArray) -> npt.NDArray[np.int64]:
    """Return one number (n,) per unordered pair; catalogue numbers have up to 9 digits, 30 bits."""
    a, b = events["primary_norad_id"].astype("i8"), events["secondary_norad_id"].astype("i8")
    key: npt.NDArray[np.int64] = np.minimum(a, b) << 32 | np.maximum(a, b)
    return key


def _by_pair(events: EventArray) -> Indices:
    """Return the order of events by pair, then by TCA, then fast ones first."""
    return row_order([pair_key(events), events["tca"], events["slow"]])


def _same_pairs(pairs: npt.NDArray[np.int64], known: EventArray) -> Iterator[tuple[slice, Indices]]:
    """Cut new events, whose pairs (n,) ascend, into slices; yield with each the known events of its pairs.

    Slices without any are left out.
    """
    known_pairs = pair_key(known)
    known_order = np.argsort(known_pairs, kind="stable")
    known_pairs = known_pairs[known_order]
    end = 0
    while end < len(pairs):
        begin, last = end, pairs[min(end + AT_A_TIME, len(pairs)) - 1]
        end = int(np.searchsorted(pairs, last, "right"))
        first = np.searchsorted(known_pairs, pairs[begin], "left")
        there = known_order[first : np.searchsorted(known_pairs, last, "right")]
        if len(there):
            yield slice(begin, end), there


def _ids_of_known(new: EventArray, known: EventArray) -> EventIds:
    """Return the id of the known event that each new one (n,), sorted by pair, is; 0 for none."""
    i, j = _same_encounters(new, known)
    known_id = known["event_id"][j]
    distance = np.abs(new["tca"][i] - known["tca"][j])
    changed_kind = new["slow"][i] != known["slow"][j]  # sorts after any of the same kind
    beside = ~(_holds(new.take(i), known["tca"][j]) & _holds(known.take(j), new["tca"][i]))
    order = np.lexsort((i, known_id, distance, beside, changed_kind))
    matched, matched_id = _nearest_first(i[order], known_id[order])
    ids = np.zeros(len(new), np.int64)
    ids[matched] = matched_id
    return ids


def _holds(events: EventArray, times: npt.NDArray[np.datetime64]) -> npt.NDArray[np.bool_]:
    """Return which events (n,) last at the given times (n,)."""
    holds: npt.NDArray[np.bool_] = (events["begin"] <= times) & (times <= events["end"])
    return holds


def _same_encounters(new: EventArray, known: EventArray) -> tuple[Indices, Indices]:
    """Return the indices of every new and known event that may be the same encounter."""
    slow, fast = np.flatnonzero(new["slow"]), np.flatnonzero(~new["slow"])
    known_slow = np.flatnonzero(known["slow"])
    near_i, near_j = _near_in_time(new, known)
    of_slow = _pairs_by_key(slow, np.arange(len(known)), new, known)
    of_known_slow = _pairs_by_key(fast, known_slow, new, known)
    i, j = (np.concatenate(parts) for parts in zip(of_slow, of_known_slow, strict=True))
    overlap = (new["begin"][i] <= known["end"][j]) & (known["begin"][j] <= new["end"][i])
    return np.concatenate((near_i, i[overlap])), np.concatenate((near_j, j[overlap]))


def _near_in_time(new: EventArray, known: EventArray) -> tuple[Indices, Indices]:
    """Return all (new, known) of the same pair with TCAs within SAME_ENCOUNTER.

    Pair and time form one sortable number, rank of the pair and milliseconds, so that a pair with thousands
    of approaches costs no more than thousands of pairs.
    """
    i, j = np.arange(len(new)), np.arange(len(known))
    if not len(i) or not len(j):
        return i[:0], j[:0]
    reach = SAME_ENCOUNTER.astype("m8[us]")
    begin, end = new["tca"].min() - reach, new["tca"].max() + reach
    j = j[(known["tca"][j] >= begin) & (known["tca"][j] <= end)]
    pairs, rank = np.unique(np.concatenate((pair_key(new), pair_key(known[j]))), return_inverse=True)
    milliseconds = (np.concatenate((new["tca"], known["tca"][j])) - begin).astype("m8[ms]").astype("i8")
    reach_ms = int(reach.astype("m8[ms]").astype("i8")) + 1  # milliseconds are truncated: one more
    place = rank * (int((end - begin).astype("m8[ms]").astype("i8")) + 2 * reach_ms) + milliseconds
    assert len(pairs) < 2**24, "pair and time would not fit into 63 bits"  # 2^38 ms are 9 years
    new_place, known_place = place[: len(i)], place[len(i) :]
    order = np.argsort(known_place, kind="stable")
    first = np.searchsorted(known_place, new_place - reach_ms, "left", sorter=order)
    last = np.searchsorted(known_place, new_place + reach_ms, "right", sorter=order)
    near_i, near_j = _expanded(i, j[order], first, last)
    near = np.abs(new["tca"][near_i] - known["tca"][near_j]) <= reach
    return near_i[near], near_j[near]


def _pairs_by_key(i: Indices, j: Indices, new: EventArray, known: EventArray) -> tuple[Indices, Indices]:
    """Return all (new, known) of the same pair of objects, out of the candidates i and j."""
    key, wanted = pair_key(known[j]), pair_key(new[i])
    order = np.argsort(key, kind="stable")
    first = np.searchsorted(key, wanted, "left", sorter=order)
    last = np.searchsorted(key, wanted, "right", sorter=order)
    return _expanded(i, j[order], first, last)


def _expanded(i: Indices, j: Indices, first: Indices, last: Indices) -> tuple[Indices, Indices]:
    """Return (i[k], each of j[first[k]:last[k]]) for every k, as two flat arrays."""
    count = last - first
    offset = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    return np.repeat(i, count), j[np.repeat(first, count) + offset]


def _nearest_first(new_index: Indices, event_id: EventIds) -> tuple[Indices, EventIds]:
    """Return a one-to-one choice from candidates sorted by nearness: each takes its first free partner.

    A candidate that is first for both its sides would be chosen one by one too: take all of these at once,
    drop those that they exclude, and repeat.
    """
    chosen_new, chosen_id = [new_index[:0]], [event_id[:0]]
    while len(new_index):
        best = _first_of_each(new_index) & _first_of_each(event_id)
        chosen_new.append(new_index[best])
        chosen_id.append(event_id[best])
        left = ~(np.isin(new_index, new_index[best]) | np.isin(event_id, event_id[best]))
        new_index, event_id = new_index[left], event_id[left]
    return np.concatenate(chosen_new), np.concatenate(chosen_id)


def _first_of_each(values: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Return a mask (n,) of the first occurrence of each value."""
    first = np.zeros(len(values), np.bool_)
    first[np.unique(values, return_index=True)[1]] = True
    return first


def _unused(ids: EventIds, taken: EventIds) -> EventIds:
    """Return ids (n,), with each taken (m,), ascending, or repeated one counted up to the next free one."""
    while True:
        in_order = np.sort(ids)
        repeated = in_order[1:][in_order[1:] == in_order[:-1]]
        place = np.searchsorted(taken, in_order)
        found = place < len(taken)
        found[found] = taken[place[found]] == in_order[found]
        if not found.any() and not len(repeated):
            return ids
        refused = np.isin(ids, in_order[found]) | (np.isin(ids, repeated) & ~_first_of_each(ids))
        ids = np.where(refused, ids % MAX_EVENT_ID + 1, ids)
