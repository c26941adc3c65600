"""Every entry of IANA's special-purpose registries, both last updated 2025-10-09."""

import ipaddress
from ipaddress import IPv4Network, IPv6Network

import pytest

from storage.state.alerts.addresses import is_public

# Block: is it globally reachable? N/A and blank (deprecated blocks) count as not.
IPV4 = {
    "0.0.0.0/8": False,  # this network
    "0.0.0.0/32": False,  # this host
    "10.0.0.0/8": False,  # private use
    "100.64.0.0/10": False,  # shared address space
    "127.0.0.0/8": False,  # loopback
    "169.254.0.0/16": False,  # link local
    "172.16.0.0/12": False,  # private use
    "192.0.0.0/24": False,  # IETF protocol assignments
    "192.0.0.0/29": False,  # IPv4 service continuity
    "192.0.0.8/32": False,  # dummy
    "192.0.0.9/32": True,  # PCP anycast
    "192.0.0.10/32": True,  # TURN anycast
    "192.0.0.170/32": False,  # NAT64 and DNS64 discovery
    "192.0.0.171/32": False,
    "192.0.2.0/24": False,  # TEST-NET-1
    "192.31.196.0/24": True,  # AS112
    "192.52.193.0/24": True,  # AMT
    "192.88.99.0/24": False,  # 6to4 relay, deprecated
    "192.88.99.2/32": False,  # 6a44 relay
    "192.168.0.0/16": False,  # private use
    "192.175.48.0/24": True,  # AS112
    "198.18.0.0/15": False,  # benchmarking
    "198.51.100.0/24": False,  # TEST-NET-2
    "203.0.113.0/24": False,  # TEST-NET-3
    "240.0.0.0/4": False,  # reserved
    "255.255.255.255/32": False,  # broadcast
}
IPV6 = {
    "::1/128": False,  # loopback
    "::/128": False,  # unspecified
    "64:ff9b:1::/48": False,  # NAT64 of a network
    "100::/64": False,  # discard
    "100:0:0:1::/64": False,  # dummy
    "2001::/23": False,  # IETF protocol assignments
    "2001::/32": False,  # Teredo: N/A
    "2001:1::1/128": True,  # PCP anycast
    "2001:1::2/128": True,  # TURN anycast
    "2001:1::3/128": True,  # DNS-SD anycast
    "2001:2::/48": False,  # benchmarking
    "2001:3::/32": True,  # AMT
    "2001:4:112::/48": True,  # AS112
    "2001:10::/28": False,  # ORCHID, deprecated
    "2001:20::/28": True,  # ORCHIDv2
    "2001:30::/28": True,  # drones' identifiers
    "2001:db8::/32": False,  # documentation
    "2620:4f:8000::/48": True,  # AS112
    "3fff::/20": False,  # documentation
    "5f00::/16": False,  # segment routing
    "fc00::/7": False,  # unique local
    "fe80::/10": False,  # link local
}
# These hold IPv4 addresses, and are as these.
HOLD_IPV4 = {"::ffff:0:0/96": "::ffff:{}", "64:ff9b::/96": "64:ff9b::{}", "2002::/16": "2002:{:x}:{:x}::1"}
REGISTERED = IPV4 | IPV6


def reachable(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Return what the smallest block with an address says."""
    blocks = [block for block in map(ipaddress.ip_network, REGISTERED) if address in block]
    return REGISTERED[str(max(blocks, key=lambda block: block.prefixlen))]


@pytest.mark.parametrize("block", REGISTERED)
def test_a_registered_block_is_public_if_it_is_reachable(block: str) -> None:
    """192.0.0.192, 192.88.99.1 and 3fff::/20 passed on Python 3.11.7."""
    network: IPv4Network | IPv6Network = ipaddress.ip_network(block)
    for address in (network[0], network[-1], network[network.num_addresses // 3]):
        assert is_public(address) is reachable(address), address


@pytest.mark.parametrize("block", HOLD_IPV4)
@pytest.mark.parametrize(
    ("inside", "public"), [("10.1.2.3", False), ("192.0.0.192", False), ("1.1.1.1", True)]
)
def test_an_ipv4_address_inside_ipv6_counts(block: str, inside: str, public: bool) -> None:
    held = int(ipaddress.IPv4Address(inside))
    words = (held >> 16, held & 0xFFFF) if block == "2002::/16" else (inside,)
    address = ipaddress.IPv6Address(HOLD_IPV4[block].format(*words))
    assert address in ipaddress.ip_network(block)
    assert is_public(address) is public


@pytest.mark.parametrize("address", ["224.0.0.1", "239.1.2.3", "ff02::1", "fec0::1", "4000::1", "200::1"])
def test_what_is_no_unicast_is_not_public(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["1.1.1.1", "192.0.1.1", "2606:4700::1", "2001:4860::8", "2001:200::1"])
def test_what_is_in_no_block_is_public(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))
