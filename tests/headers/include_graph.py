"""The headers of goldml and what they include, for the scripts beside this file."""
import re


def texts_of(include):
    """The text of each header, by its path below the folder `include`: "goldml/core/scalar.hpp"."""
    return {path.relative_to(include).as_posix(): path.read_text() for path in sorted(include.glob('goldml/**/*.hpp'))}


def includes_of(texts):
    """What each header includes itself."""
    return {header: re.findall(r'^#include <([^>]+)>', text, re.M) for header, text in texts.items()}


def reached_from(header, includes):
    """All that it includes, directly or through other headers of goldml."""
    found, rest = set(), [header]
    while rest:
        for included in includes.get(rest.pop(), []):
            if included not in found:
                found.add(included)
                rest.append(included)
    return found


def in_order(headers, includes):
    """What a unit that includes `headers` in turn consists of, each header after what it includes itself."""
    order = {}  # a dictionary keeps the order of insertion

    def add(header):
        if header not in order:
            order[header] = None
            for included in includes.get(header, []):
                add(included)
            order[header] = order.pop(header)

    for header in headers:
        add(header)
    return list(order)
