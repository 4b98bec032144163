"""A recipe for Conan 2: conan create tools/packaging/conan. It builds from the checkout that it is in."""
import os
import re

from conan import ConanFile
from conan.tools.files import copy, load


class Goldml(ConanFile):
    name = "goldml"
    license = "MIT"
    description = "The golden oracle for DirectML operators"
    package_type = "header-library"
    settings = "os", "compiler", "build_type", "arch"
    no_copy_source = True

    @property
    def _checkout(self):
        return os.path.normpath(os.path.join(self.recipe_folder, "..", "..", ".."))

    def set_version(self):
        text = load(self, os.path.join(self._checkout, "include", "goldml", "version.hpp"))
        self.version = ".".join(re.findall(r"#define GOLDML_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", text))

    def export_sources(self):
        for pattern in ("LICENSE", "include/*"):
            copy(self, pattern, self._checkout, self.export_sources_folder)

    def requirements(self):
        self.requires("eigen/[>=3.4 <4]", transitive_headers=True)
        self.requires("fmt/[>=9]", transitive_headers=True, transitive_libs=True)

    def package(self):
        copy(self, "*.hpp", os.path.join(self.source_folder, "include"), os.path.join(self.package_folder, "include"))
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_id(self):
        self.info.clear()

    def package_info(self):
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
        self.cpp_info.set_property("cmake_target_name", "goldml::goldml")
