# An overlay port: vcpkg install goldml --overlay-ports=tools/packaging/vcpkg. It builds from the checkout that it is in.
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS options FEATURES compiled GOLDML_INSTALL_COMPILED)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS ${options} -DGOLDML_INSTALL=ON -DGOLDML_BUILD_TOOL=OFF -DGOLDML_BUILD_TESTS=OFF -DGOLDML_BUILD_EXAMPLES=OFF
          -DGOLDML_BUILD_BENCHMARKS=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/goldml)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
if(NOT "compiled" IN_LIST FEATURES)  # headers alone
  file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug" "${CURRENT_PACKAGES_DIR}/lib")
endif()
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
