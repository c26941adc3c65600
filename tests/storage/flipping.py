"""Change one bit of a file, and what is then seen of a store by all who read it."""

import random
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

from screening.errors import SkysieveError
from storage.layout import CATALOGUE


def flip(path: Path, rng: random.Random) -> int:
    """Change one bit of a file, anywhere in it, and return the position of its byte."""
    content = bytearray(path.read_bytes())
    bit = rng.randrange(8 * len(content))
    content[bit // 8] ^= 1 << bit % 8
    path.write_bytes(content)
    return bit // 8


def outcomes(
    store: Path, name: str, asked: Mapping[str, Callable[[Path], object]], flips: int
) -> Counter[str]:
    """Flip a bit of a file of a store so many times, and ask all that read it each time.

    Return how often what came of it: `same`: the answer is as before; `told`: an error that names the file,
    or the folder it lies in; else the position of the byte, who was asked, and what went wrong.
    """
    rng, path = random.Random(name), store / name
    content = path.read_bytes()
    before = {who: repr(ask(store)) for who, ask in asked.items()}
    seen: Counter[str] = Counter()
    for _ in range(flips):
        at = flip(path, rng)
        for who, ask in asked.items():
            try:
                after = repr(ask(store))
            except SkysieveError as error:
                named = any(str(one) in str(error) for one in (path, path.parent, store / CATALOGUE))
                seen["told" if named else f"{at} {who}: {error}"] += 1
            except Exception as error:
                seen[f"{at} {who}: {error!r}"] += 1
            else:
                seen["same" if after == before[who] else f"{at} {who}: another answer"] += 1
        path.write_bytes(content)
    return seen
