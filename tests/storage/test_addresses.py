"""Secrets in addresses are neither shown nor stored."""

import duckdb
import pytest
from pydantic import Field, SecretStr

from screening.errors import UsageError
from storage.addresses import sql_without_secrets, without_secrets
from storage.settings import StoreSettings, load_settings

SHOWN = [
    ("http://alice:s3cret@host/gp.csv", "http://host/gp.csv"),
    ("https://s3cret@host:8443/gp.csv", "https://host:8443/gp.csv"),
    ("HTTP://alice:p@ss:s3cret@host/gp.csv?b=c", "HTTP://host/gp.csv?b=c"),
    (
        "https://host/gp.csv?FORMAT=csv&apikey=s3cret&GROUP=a",
        "https://host/gp.csv?FORMAT=csv&apikey=***&GROUP=a",
    ),
    ("https://host/?access_token=s3cret#part", "https://host/?access_token=***#part"),
    ("https://host/?X-Amz-Signature=s3cret&k=s3cret", "https://host/?X-Amz-Signature=***&k=***"),
    (
        "see 'https://a:s3cret@host/?Token=s3cret' and https://b:s3cret@there/",
        "see 'https://host/?Token=***' and https://there/",
    ),
    ("https://host/a@b?group=stations", "https://host/a@b?group=stations"),
    ("mail a@b.example; 3 > 2 ? yes", "mail a@b.example; 3 > 2 ? yes"),
]


@pytest.mark.parametrize(("text", "shown"), SHOWN)
def test_secrets_of_addresses_are_taken_out_by_python_and_by_sql_alike(text: str, shown: str) -> None:
    assert without_secrets(text) == shown
    by_sql = duckdb.execute(f"SELECT {sql_without_secrets('t')} FROM (SELECT ? AS t)", [text]).fetchone()
    assert by_sql == (shown,)


class Secretive(StoreSettings):
    """Settings with a secret of which only some values are allowed."""

    password: SecretStr = Field(default=SecretStr("long enough"), min_length=8)
    address: int = 0


def test_a_setting_that_is_refused_does_not_print_its_secret() -> None:
    with pytest.raises(
        UsageError, match=r"SKYSIEVE_PASSWORD=\*\*\*.*SKYSIEVE_ADDRESS=http://host"
    ) as refused:
        load_settings(Secretive, password="s3cret", address="http://alice:s3cret@host")
    assert "s3cret" not in str(refused.value)
