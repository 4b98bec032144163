#!/usr/bin/env python3
"""wheel.py FOLDER OUTPUT: packs the folder that CMake's component 'python' is installed in into a wheel, and prints its path.

It needs Python 3.11 and nothing else; CMake's target goldml_wheel calls it. The wheel is for this Python and this system.
"""
import base64
import hashlib
import pathlib
import re
import sys
import sysconfig
import tomllib
import zipfile

folder, output = map(pathlib.Path, sys.argv[1:])
root = pathlib.Path(__file__).resolve().parents[2]
project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
header = (root / "include/goldml/version.hpp").read_text()
version = ".".join(re.findall(r"#define GOLDML_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))
python = f"cp{sys.version_info.major}{sys.version_info.minor}"
tag = f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"

files = {path.relative_to(folder).as_posix(): path.read_bytes()
         for path in sorted((folder / "goldml").rglob("*")) if path.is_file() and path.suffix != ".pyc"}
about = f"{project['name']}-{version}.dist-info/"
metadata = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {version}", f"Summary: {project['description']}",
            f"Requires-Python: {project['requires-python']}", *(f"Requires-Dist: {one}" for one in project["dependencies"])]
files[about + "METADATA"] = "\n".join([*metadata, ""]).encode()
files[about + "WHEEL"] = f"Wheel-Version: 1.0\nGenerator: goldml\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
files[about + "LICENSE"] = (root / "LICENSE").read_bytes()
record = [f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}"
          for name, data in files.items()]
files[about + "RECORD"] = "\n".join([*record, about + "RECORD,,", ""]).encode()

wheel = output / f"{project['name']}-{version}-{tag}.whl"
with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as packed:
    for name, data in files.items():
        packed.writestr(name, data)
print(wheel)
