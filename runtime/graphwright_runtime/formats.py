"""The formats of JSON Schema that are checked. Other names in the keyword `format` are ignored."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

_DATE: Final = r"\d{4}-\d{2}-\d{2}"
_TIME: Final = r"([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))"
_DAYS: Final = r"\d+D|\d+M(?:\d+D)?|\d+Y(?:\d+M(?:\d+D)?)?"
_CLOCK: Final = r"T(?:\d+S|\d+M(?:\d+S)?|\d+H(?:\d+M(?:\d+S)?)?)"
_DURATION: Final = rf"P(?:\d+W|(?:{_DAYS})(?:{_CLOCK})?|{_CLOCK})"
_UUID: Final = r"[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}"
_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_HOST: Final = rf"{_LABEL}(?:\.{_LABEL})*"
_ATOM: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_QUOTED: Final = r'"(?:[ !#-\[\]-~]|\\[ -~])*"'
_MAIL: Final = re.compile(rf"(?:{_ATOM}(?:\.{_ATOM})*|{_QUOTED})@(?:({_HOST})|\[(?:IPv6:)?([0-9A-Fa-f:.]+)\])")
_POINTER: Final = r"(?:/(?:[^~/]|~[01])*)*"

#: The characters of a URI without percent signs, and the additional ones of an IRI.
_SIGNS: Final = r"A-Za-z0-9._~!$&'()*+,;="
_BEYOND: Final = "\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef\U00010000-\U000efffd"


def _address(signs: str) -> str:
    """The pattern of what follows the scheme of a URI."""
    escaped = "%[0-9A-Fa-f]{2}"
    segment = rf"(?:[{signs}:@-]|{escaped})"
    user = rf"(?:(?:[{signs}:-]|{escaped})*@)?"
    host = rf"(?:\[(?:[0-9A-Fa-f:.]+|v[0-9A-Fa-f]+\.[{signs}:-]+)\]|(?:[{signs}-]|{escaped})*)"
    path = rf"(?:/{segment}*)*"
    tail = rf"(?:\?(?:{segment}|[/?])*)?(?:#(?:{segment}|[/?])*)?"
    return rf"(?://{user}{host}(?::\d*)?{path}|/(?:{segment}+{path})?|{{first}}{path}|){tail}"


def _uri(signs: str) -> str:
    segment = rf"(?:[{signs}:@-]|%[0-9A-Fa-f]{{2}})+"
    return r"[A-Za-z][A-Za-z0-9+.-]*:" + _address(signs).replace("{first}", segment)


def _reference(signs: str) -> str:
    relative = _address(signs).replace("{first}", rf"(?:[{signs}@-]|%[0-9A-Fa-f]{{2}})+")
    return rf"(?:{_uri(signs)}|{relative})"


#: Formats that are defined by a regular expression.
_SHAPES: Final = {
    "duration": _DURATION,
    "hostname": _HOST,
    "iri": _uri(_SIGNS + _BEYOND),
    "iri-reference": _reference(_SIGNS + _BEYOND),
    "json-pointer": _POINTER,
    "relative-json-pointer": rf"(?:0|[1-9]\d*)(?:#|{_POINTER})",
    "uri": _uri(_SIGNS),
    "uri-reference": _reference(_SIGNS),
    "uuid": _UUID,
}

#: The longest host name, in characters.
_LONGEST_HOST: Final = 253


def has_format(value: str, name: str) -> bool:
    """Whether a string has the format; true for names that are not in `DESCRIBED`."""
    shape = _SHAPES.get(name)
    if shape is not None:
        return (name != "hostname" or len(value) <= _LONGEST_HOST) and bool(re.fullmatch(shape, value, re.ASCII))
    check = _CHECKS.get(name)
    return check is None or check(value)


def _is_date(value: str) -> bool:
    if not re.fullmatch(_DATE, value, re.ASCII):
        return False
    from datetime import date

    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def _is_time(value: str) -> bool:
    """A time of day with its offset; a leap second is the last one of a day in UTC."""
    found = re.fullmatch(_TIME, value, re.ASCII)
    if found is None:
        return False
    hour, minute, second, sign, hours, minutes = found.groups()
    if second != "60":
        return True
    ahead = (int(hours or 0) * 60 + int(minutes or 0)) * (-1 if sign == "-" else 1)
    return (int(hour) * 60 + int(minute) - ahead) % 1440 == 1439


def _is_moment(value: str) -> bool:
    return value[10:11] in ("T", "t") and _is_date(value[:10]) and _is_time(value[11:])


def _is_mail(value: str) -> bool:
    found = _MAIL.fullmatch(value)
    if found is None:
        return False
    address = found[2]
    return len(found[1]) <= _LONGEST_HOST if address is None else _is_ipv4(address) or _is_ipv6(address)


def _is_ipv4(value: str) -> bool:
    from ipaddress import AddressValueError, IPv4Address

    try:
        IPv4Address(value)
    except AddressValueError:
        return False
    return True


def _is_ipv6(value: str) -> bool:
    from ipaddress import AddressValueError, IPv6Address

    try:
        IPv6Address(value)
    except AddressValueError:
        return False
    return "%" not in value


def _is_pattern(value: str) -> bool:
    from graphwright_runtime.patterns.engine import compiled
    from graphwright_runtime.patterns.reader import PatternError

    try:
        compiled(value, "ecma")
    except PatternError:
        return False
    return True


_CHECKS: Final[dict[str, Callable[[str], bool]]] = {
    "date": _is_date,
    "date-time": _is_moment,
    "email": _is_mail,
    "ipv4": _is_ipv4,
    "ipv6": _is_ipv6,
    "regex": _is_pattern,
    "time": _is_time,
}

#: The formats that are checked, with their names in messages.
DESCRIBED: Final = {
    "date": "a date (2026-01-31)",
    "date-time": "a date and time with an offset (2026-01-31T12:00:00Z)",
    "duration": "a duration (P1DT12H)",
    "email": "an email address",
    "hostname": "a host name",
    "ipv4": "an IPv4 address",
    "ipv6": "an IPv6 address",
    "iri": "an IRI",
    "iri-reference": "an IRI or a relative reference",
    "json-pointer": "a JSON pointer (/items/0)",
    "regex": "an ECMAScript regular expression",
    "relative-json-pointer": "a relative JSON pointer (1/name)",
    "time": "a time with an offset (12:00:00Z)",
    "uri": "a URI (https://example.org/)",
    "uri-reference": "a URI or a relative reference",
    "uuid": "a UUID",
}
