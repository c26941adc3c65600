"""Addresses of alerts: what is taken, what is refused, what is shown."""

import ipaddress

import pytest

from screening.errors import UsageError
from storage.state.alerts.addresses import is_public, shown_address, target

FULLWIDTH_LOOPBACK = "".join(chr(ord(digit) + 0xFEE0) for digit in "127.0.0.1")


@pytest.mark.parametrize(
    ("text", "channel", "address"),
    [
        ("https://example.org/hook", "webhook", "https://example.org/hook"),
        ("https://EXAMPLE.org", "webhook", "https://example.org/"),
        ("https://example.org:8443/a?b=c", "webhook", "https://example.org:8443/a?b=c"),
        ("https://user:pass@example.org/", "webhook", "https://user:pass@example.org/"),
        ("https://b\u00fccher.example/", "webhook", "https://xn--bcher-kva.example/"),  # RFC 3492's word
        ("https://my_host.example.org/", "webhook", "https://my_host.example.org/"),
        ("https://8.8.8.8/", "webhook", "https://8.8.8.8/"),
        ("https://[2001:4860:4860::8888]:443/x", "webhook", "https://[2001:4860:4860::8888]:443/x"),
        ("slack:https://hooks.slack.com/services/T/B/x", "slack", "https://hooks.slack.com/services/T/B/x"),
        (" operator@example.org ", "email", "operator@example.org"),
        ("first.last+orbit@Example.ORG", "email", "first.last+orbit@example.org"),
        ("ops@b\u00fccher.example", "email", "ops@xn--bcher-kva.example"),
    ],
)
def test_addresses_of_each_channel_are_taken_in_canonical_form(text: str, channel: str, address: str) -> None:
    assert target(text) == (channel, address)


def test_the_channel_may_be_given() -> None:
    assert target("https://chat.example/hooks/1", "slack") == ("slack", "https://chat.example/hooks/1")
    assert target("https://chat.example/1", "webhook").channel == "webhook"
    for text, channel in (
        ("https://a.example/", "email"),
        ("a@b.example", "webhook"),
        ("a@b.example", "slack"),
    ):
        with pytest.raises(UsageError, match="not allowed"):
            target(text, channel)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "   ",
            "nonsense",
            "@",
            "a@",
            "@b.example",
            "://",
            "https://",
            "https:///path",
            "slack:",
            "slack:https://hooks.slack.com",
            "slack:https://hooks.slack.com/",
            "\x00",
        ),
        *("file:///etc/passwd", "file:/etc/passwd", "ftp://example.org/", "gopher://example.org:70/1"),
        *("javascript:alert(1)", "data:text/plain,x", "HTTP://example.org/", "http://example.org/"),
        *("http://169.254.169.254/latest/meta-data", "https://169.254.169.254/", "https://127.0.0.1:7373/"),
        *("https://10.0.0.8/", "https://192.168.1.1/", "https://172.16.0.1/", "https://100.64.0.1/"),
        *("https://0.0.0.0/", "https://255.255.255.255/", "https://224.0.0.1/", "https://192.0.2.7/"),
        *(
            "https://[::1]/",
            "https://[::]/",
            "https://[fe80::1]/",
            "https://[fc00::1]/",
            "https://[ff02::1]/",
        ),
        *("https://[::ffff:127.0.0.1]/", "https://[::ffff:a9fe:a9fe]/", "https://[64:ff9b::7f00:1]/"),
        *("https://[2002:7f00:1::]/", "https://[64:ff9b:1::808:808]/", "https://[fec0::1]/"),
        *("https://[fe80::1%25eth0]/", "https://[::1", "https://[nonsense]/", "https://[1.2.3.4]/"),
        *(
            "https://127.1/",
            "https://2130706433/",
            "https://0x7f000001/",
            "https://0x7f.1/",
            "https://0177.0.0.1/",
        ),
        *(
            f"https://{FULLWIDTH_LOOPBACK}/",
            "https://127\u30020\u30020\u30021/",
            "https://\u2460\u2461\u2466.0.0.1/",
        ),
        *("https://localhost/", "https://LOCALHOST./", "https://db.internal/", "https://printer.local/"),
        *("https://example.org:0/", "https://example.org:99999/", "https://example.org:x/"),
        *("https://example.org/a b", "https://example.org/\r\nHost: other", "https://example.org/\u00fc"),
        *("https://example.org/#part", "https://example.org\\@evil.example/", "https://exa mple.org/"),
        *(
            "https://-a.example/",
            "https://a..example/",
            f"https://{'a' * 64}.example/",
            "https://\u202e.example/",
        ),
        *(
            "https://example.org/" + "a" * 10_000,
            "a" * 10_000 + "@example.org",
            "https://" + "a." * 5_000 + "org/",
        ),
        *("a@b", "a@127.0.0.1", "a@[127.0.0.1]", "a@b.example,c@d.example", "a@b.example;c@d.example"),
        *(
            "a@b.example\r\nBcc: all@d.example",
            "a\nb@c.example",
            "A <a@b.example>",
            '"a b"@c.example',
            "a b@c.example",
        ),
        *("a@b@c.example", ".a@b.example", "a..b@c.example", "\u00fc@b.example", "a" * 65 + "@b.example"),
        *("a@b.example c@d.example", "a%0d@b.exa mple", "mailto:a@b.example"),
    ],
)
def test_everything_else_is_refused_in_a_short_sentence(text: str) -> None:
    with pytest.raises(UsageError, match="not allowed") as refused:
        target(text)
    assert len(str(refused.value)) < 400


def test_private_addresses_are_taken_where_they_are_allowed() -> None:
    for text in ("http://127.0.0.1:9000/", "https://[::1]/", "http://localhost/", "https://10.0.0.8/"):
        assert target(text, allow_private=True).address == text
    with pytest.raises(UsageError):
        target("file:///etc/passwd", allow_private=True)


# Blocks of IANA's registries of special-purpose addresses, and neighbours that are none.
@pytest.mark.parametrize(
    ("address", "public"),
    [
        *(
            (text, False)
            for text in ("10.1.2.3", "100.127.255.255", "198.18.0.1", "203.0.113.1", "240.0.0.1")
        ),
        *((text, True) for text in ("9.255.255.255", "11.0.0.0", "100.128.0.0", "172.32.0.1", "198.20.0.0")),
        *(
            (text, False)
            for text in ("2001:db8::1", "fd12::1", "fe80::1", "::ffff:10.0.0.1", "64:ff9b::a00:1")
        ),
        *(
            (text, True)
            for text in ("2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1")
        ),
    ],
)
def test_public_addresses_are_told_from_others(address: str, public: bool) -> None:
    assert is_public(ipaddress.ip_address(address)) is public


def test_secrets_in_addresses_are_not_shown() -> None:
    shown = shown_address("slack", "https://hooks.slack.com/services/T0/B0/s3cret")
    assert shown == "https://hooks.slack.com/***"
    hook = shown_address("webhook", "https://me:pw@example.org/api/webhooks/1/s3cret?x=pw")
    assert hook == "https://example.org/***"  # Discord's and Teams' paths are their keys
    assert shown_address("webhook", "https://example.org:8443/") == "https://example.org:8443/"
    assert shown_address("email", "ops@example.org") == "ops@example.org"


@pytest.mark.parametrize(
    ("text", "channel"),
    [
        ("slack:http://hooks.slack.com/services/T0/B0/SECRET", None),
        ("slack:hooks.slack.com/services/T0/B0/SECRET", None),
        ("slack:https://hooks.slack.com:0/services/T0/B0/SECRET", None),
        ("slack:https://chat.example/hooks/SECRET#", None),
        ("slack: https://chat.example/SECRET", None),
        ("http://chat.example/SECRET", "slack"),
        ("https://chat.example\\SECRET", "slack"),
        ("slack:https://chat.example/SECRET", "email"),
        ("http://hooks.slack.com/services/T0/B0/SECRET", None),
        ("hooks.slack.com/services/T0/B0/SECRET", None),
    ],
)
def test_a_refusal_does_not_repeat_the_secret_in_slacks_path(text: str, channel: str | None) -> None:
    """It stood in answers, and in the logs of whatever made the request."""
    with pytest.raises(UsageError, match="is not allowed as the address of an alert") as refusal:
        target(text, channel)  # type: ignore[arg-type]
    assert "SECRET" not in str(refusal.value)
    assert "***" in str(refusal.value)


@pytest.mark.parametrize(
    "text", ["http://127.0.0.1:9911/hook", "http://example.org/", "https://127.0.0.1/", "https://localhost/"]
)
def test_a_refusal_names_the_setting_that_allows_it(text: str) -> None:
    with pytest.raises(UsageError, match="SKYSIEVE_ALERTS_ALLOW_PRIVATE"):
        target(text)
    assert target(text, allow_private=True).channel == "webhook"
    with pytest.raises(UsageError) as refused:
        target("ftp://example.org/", allow_private=True)
    assert "ALLOW_PRIVATE" not in str(refused.value)
