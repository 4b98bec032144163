#!/usr/bin/env python3
"""check_api.py DOXYGEN CONFIGURATION: runs Doxygen, and checks that each public function of the core calls has a comment.

Overloads share one comment, and so do declarations that follow each other without a blank line.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

# The headers of what a user calls.
core = re.compile(
    r"goldml/(operators/[a-z0-9_]+|core/(evaluate|validate|violation|host_tensor)|oracle/(case|catch2|doctest|generate|"
    r"googletest|judge|report|shrink|verdict|watched_output)|io/(dxdispatch|model_play|model_error|npy))\.hpp$"
)
doxygen, configuration = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    settings = pathlib.Path(configuration).read_text() + "\nSTRIP_FROM_PATH =\nFULL_PATH_NAMES = YES\n"
    settings += f"\nOUTPUT_DIRECTORY = {folder}\nWARN_LOGFILE = {folder}/warnings\nGENERATE_HTML = NO\nGENERATE_XML = YES\n"
    subprocess.run([doxygen, "-"], input=settings, text=True, check=True, stdout=subprocess.DEVNULL)
    documented, functions = set(), {}
    for file in pathlib.Path(folder, "xml").glob("namespacegoldml*.xml"):
        space = xml.parse(file).getroot().find("compounddef")
        if space is None or "detail" in space.findtext("compoundname"):
            continue
        for member in space.iter("memberdef"):
            place = member.find("location")
            if member.get("kind") != "function" or not core.search(place.get("file")):
                continue
            name = f"{space.findtext('compoundname')}::{member.findtext('name')}"
            functions.setdefault(name, f"{place.get('file')}:{place.get('line')}")
            if any("".join(part.itertext()).strip() for part in (member.find("briefdescription"), member.find("detaileddescription"))):
                documented.add(name)


def shares_a_comment(place):
    """Whether a comment is the start of the lines without a blank one that the declaration is among."""
    name, line = place.rsplit(":", 1)
    lines = pathlib.Path(name).read_text().splitlines()
    at = int(line) - 1
    while at > 0 and lines[at - 1].strip():
        at -= 1
    return lines[at].startswith("//")


missing = [f"{place}: {name} has no comment" for name, place in sorted(functions.items()) if name not in documented and not shares_a_comment(place)]
print("\n".join(missing))
print(f"{len(functions)} functions, {len(missing)} without a comment")
sys.exit(1 if missing or len(functions) < 70 else 0)
