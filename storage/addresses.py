"""Addresses without the secrets that people write into them.

Two patterns, in the common form of Python's and DuckDB's (RE2) regular expressions, so that old rows are
cleaned by SQL as well. A path is no secret; of a query, the values of parameters whose names say so are.
"""

import re

HIDDEN = "***"

USERINFO = r"(?i)(https?://)[^/?#\s]*@"
_NAMES = "key|token|secret|pass|pwd|auth|sig|cred|session"
SECRET_PARAMETER = rf"(?i)([?&;](?:k|p|[^=&;#\s]*(?:{_NAMES})[^=&;#\s]*)=)[^&;#\s'\"<>]+"

_PATTERNS = (
    (re.compile(USERINFO), r"\1"),
    (re.compile(SECRET_PARAMETER), rf"\1{HIDDEN}"),
)


def without_secrets(text: str) -> str:
    """Return a text in which addresses have neither user and password, nor keys in their queries."""
    if "://" in text or "=" in text:
        for pattern, replacement in _PATTERNS:
            text = pattern.sub(replacement, text)
    return text


def sql_without_secrets(column: str) -> str:
    """Return the SQL expression that does the same to a column of texts."""
    return (
        f"regexp_replace(regexp_replace({column}, '{_doubled(USERINFO)}', '\\1', 'g'), "
        f"'{_doubled(SECRET_PARAMETER)}', '\\1{HIDDEN}', 'g')"
    )


def _doubled(pattern: str) -> str:
    return pattern.replace("'", "''")
