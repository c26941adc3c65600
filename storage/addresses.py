"""Remove secrets from addresses.

Two patterns, in the syntax shared by Python's and DuckDB's (RE2) regular expressions, so that SQL can clean
old rows too. Paths are not secret; in a query, the values of parameters with telling names are.
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
    """Return a text without user, password and query keys in its addresses."""
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
