"""Compare the probability that a message claims with what its covariances give."""

import numpy as np

from screening.risk.messages.message import ConjunctionMessage, Remark

SQUARE = 4.0 / np.pi  # times the disk, where the density is flat: the US centre integrates over the square
ALIKE = 0.01  # claims have three digits or more; the square is 4/pi of the disk to within this
WORTH_A_REMARK = 1.1  # times


def claimed_as(claimed: float, independent: float, correlated: float) -> str:
    """Return which integral a claim equals: `disk`, `square`, `... correlated`, or none (empty)."""
    candidates = {
        "disk": independent,
        "square": SQUARE * independent,
        "disk correlated": correlated,
        "square correlated": SQUARE * correlated,
    }
    for name, value in candidates.items():
        if value > 0.0 and abs(claimed - value) <= ALIKE * value:  # NaN is not
            return name
    return ""


def about_claim(message: ConjunctionMessage, independent: float, correlated: float) -> list[Remark]:
    """Return remarks on known reasons why a claim and the computed number differ."""
    line = message.lines.get("COLLISION_PROBABILITY", 1)
    name = claimed_as(message.probability, independent, correlated)
    method = f" by {message.probability_method}" if message.probability_method else ""
    texts = []
    if name.startswith("square"):
        disk = correlated if name.endswith("correlated") else independent
        texts.append(
            f"{message.probability:.4g} is claimed{method}, {message.probability / disk:.3f} times the "
            f"{disk:.4g} of the disk: the square around it (4/pi)"
        )
    if correlated > WORTH_A_REMARK * independent or correlated < independent / WORTH_A_REMARK:
        texts.append(
            f"shared drag errors make the probability {correlated:.4g}, {independent:.4g} without them"
        )
    return [Remark(line, "COLLISION_PROBABILITY", text) for text in texts]
