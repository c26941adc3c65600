"""Words and limits of the store's parameters; like `screening.vocabulary`, quick to import."""

from typing import Literal, get_args

AnalysisMode = Literal["quick", "full"]
EventOrder = Literal["risk", "tca", "miss_distance", "probability"]
CredentialKind = Literal["bearer", "api-key"]
CREDENTIAL_KINDS: tuple[CredentialKind, ...] = get_args(CredentialKind)

EVENTS_FILE_SUFFIXES = (".csv", ".parquet", ".duckdb")

LONGEST_DAYS = 36_500  # a century
LARGEST_PER_MINUTE = 1_000_000  # requests
