"""Which addresses are not of the public Internet: a table of our own, since Python's is as old as Python.

Source: IANA, "IPv4 Special-Purpose Address Space" and "IPv6 Special-Purpose Address Space" (RFC 6890), both
last updated 2025-10-09: blocks whose "Globally Reachable" is not True, and what is reachable inside them.
Multicast (RFC 5771) is left out as well, and of IPv6 all but global unicast, 2000::/3 (RFC 4291). What holds
an IPv4 address (mapped, NAT64, 6to4) is as that; `addresses.is_public` unpacks it.
"""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

_NOT_PUBLIC_4 = tuple(
    map(
        IPv4Network,
        (
            *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
            *("192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15"),
            *("198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
        ),
    )
)
_PUBLIC_4 = tuple(map(IPv4Network, ("192.0.0.9/32", "192.0.0.10/32")))
_UNICAST = IPv6Network("2000::/3")
_NOT_PUBLIC_6 = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))
_PUBLIC_6 = tuple(
    map(
        IPv6Network,
        (
            *("2001:1::1/128", "2001:1::2/128", "2001:1::3/128", "2001:3::/32", "2001:4:112::/48"),
            *("2001:20::/28", "2001:30::/28"),
        ),
    )
)


def is_special(address: IPv4Address | IPv6Address) -> bool:
    """Tell whether an address is none of the public Internet, by its block alone."""
    if isinstance(address, IPv4Address):
        return any(address in one for one in _NOT_PUBLIC_4) and not any(address in one for one in _PUBLIC_4)
    if address not in _UNICAST:
        return True
    return any(address in one for one in _NOT_PUBLIC_6) and not any(address in one for one in _PUBLIC_6)
