"""Which encounters alerts and feeds tell of, as a request chooses it."""

from typing import Any, Self

from pydantic import BaseModel, model_validator

from screening.errors import UsageError
from storage.rows.limits import Limits, chosen_limits

_NO_DISTANCE = "none"  # in an address, where there is no null


class ChosenLimits(BaseModel):
    """By `level` and `near_m`, or by the `risk` of earlier releases, which the subclasses have as fields."""

    @model_validator(mode="after")
    def _one_choice(self) -> Self:
        try:
            self.limits()
        except UsageError as error:
            raise ValueError(str(error)) from error
        return self

    def limits(self) -> Limits:
        """Return which encounters are chosen. Raises UsageError if that was said twice."""
        sent: dict[str, Any] = {name: getattr(self, name) for name in self.model_fields_set}
        given: dict[str, Any] = {name: sent[name] for name in ("level", "near_m") if name in sent}
        if given.get("near_m") == _NO_DISTANCE:
            given["near_m"] = None
        return chosen_limits(sent.get("risk"), given)
