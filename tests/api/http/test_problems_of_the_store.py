"""What the store refuses has a status of its own, by what kind of refusal it is."""

from http import HTTPStatus

import pytest

from api.http.problems import PROBLEMS
from storage.state.alerts.alerts import NoSuchAlert, SameAlert, TooManyAlerts
from storage.state.alerts.deliveries import CannotRetry, NoSuchMessage
from storage.state.feeds import NoSuchFeed, TooManyFeeds


@pytest.mark.parametrize(
    ("refused", "status", "kind"),
    [
        (NoSuchAlert, HTTPStatus.NOT_FOUND, "not-found"),
        (NoSuchMessage, HTTPStatus.NOT_FOUND, "not-found"),
        (NoSuchFeed, HTTPStatus.NOT_FOUND, "not-found"),
        (TooManyAlerts, HTTPStatus.CONFLICT, "limit-reached"),
        (TooManyFeeds, HTTPStatus.CONFLICT, "limit-reached"),
        (SameAlert, HTTPStatus.CONFLICT, "not-possible-now"),
        (CannotRetry, HTTPStatus.CONFLICT, "not-possible-now"),
    ],
)
def test_a_refusal_of_the_store_has_the_status_of_its_base(
    refused: type[Exception], status: HTTPStatus, kind: str
) -> None:
    first = next(found for of, found in PROBLEMS.items() if issubclass(refused, of))
    assert (first.status, first.type) == (status, kind)
