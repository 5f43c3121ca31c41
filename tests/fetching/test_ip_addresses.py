from ipaddress import ip_address

import pytest

from blog_engine.fetching import Origin, any_address, is_public, public_only
from tests.requirements import requirement

ORIGIN = Origin("http", "example.com", 80)

NOT_PUBLIC = [
    "0.0.0.0",  # noqa: S104
    "0.255.255.255",
    "10.0.0.0",
    "10.255.255.255",
    "100.64.0.0",
    "100.100.100.200",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.255",
    "168.63.129.16",
    "169.254.0.0",
    "169.254.169.254",
    "169.254.255.255",
    "172.16.0.0",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.0",
    "192.168.255.255",
    "198.18.0.0",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.0",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::808:808",
    "64:ff9b:1::7f00:1",
    "100::1",
    "1fff:ffff::1",
    "2001::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:20::1",
    "2001:1ff:ffff::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:808:808::",
    "3fff::1",
    "3fff:fff:ffff::1",
    "4000::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
]
PUBLIC = [
    "1.0.0.0",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "::ffff:8.8.8.8",
    "2001:200::1",
    "2003::1",
    "2606:4700::1111",
    "3ffe:ffff::1",
]


@requirement("images.fetch.every-ip")
@pytest.mark.parametrize("text", NOT_PUBLIC)
def test_addresses_beyond_the_public_internet_are_not_permitted(text: str) -> None:
    address = ip_address(text)

    assert (is_public(address), public_only(ORIGIN, address), any_address(ORIGIN, address)) == (False, False, True)


@requirement("images.fetch.every-ip")
@pytest.mark.parametrize("text", PUBLIC)
def test_addresses_of_the_public_internet_are_permitted(text: str) -> None:
    address = ip_address(text)

    assert (is_public(address), public_only(ORIGIN, address), any_address(ORIGIN, address)) == (True, True, True)
