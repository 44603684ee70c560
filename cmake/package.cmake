# Packages for Debian and Ubuntu, made by `cpack` in the build directory: thinair and libthinair-dev.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME thinair)
set(CPACK_PACKAGE_VENDOR "the thinair project")
set(CPACK_PACKAGE_CONTACT "the thinair project <maintainers@thinair.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL tool development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# what a package needs is read from its binaries (dpkg-shlibdeps)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)

set(CPACK_DEBIAN_TOOL_PACKAGE_NAME thinair)
set(CPACK_DEBIAN_TOOL_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_TOOL_PACKAGE_SUGGESTS "herdtools7, graphviz, default-jdk-headless")
set(CPACK_DEBIAN_TOOL_DESCRIPTION "Asks memory models what small programs may do, and finds programs that compilation
schemes, compilers and Java virtual machines get wrong.")

# an archive has no dependencies to read: what it is linked with is what its headers came from
set(llvm_package "")
if(THINAIR_LLVM)
  set(llvm_package ", llvm-${LLVM_VERSION_MAJOR}-dev")
endif()
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libthinair-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libfmt-dev, libz3-dev${llvm_package}")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS thinair)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "A library that asks memory models what programs may do
The header and archive of thinair, for programs of your own.")
include(CPack)
