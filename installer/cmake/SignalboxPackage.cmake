# What is installed where, and the target `package`: DEBs (signalbox, signalbox-dev), TGZ and STGZ.
# The library lies in a folder of its own that only the programs' run path names: it is no system library.
#
# Components: Runtime (programs, library, resources), Development (headers, find_package), and Bundle, which only the archives have:
# Qt and every other library that is no part of the system (SignalboxBundle.cmake.in).

set(SBX_PRIVATE_LIBDIR lib/signalbox)
set(SBX_DATADIR ${CMAKE_INSTALL_DATADIR}/signalbox)
set(SBX_DOCDIR ${CMAKE_INSTALL_DATADIR}/doc/signalbox)

set(SBX_INCLUDEDIR ${CMAKE_INSTALL_INCLUDEDIR}/signalbox)
set(SBX_CMAKEDIR lib/cmake/Signalbox)

install(TARGETS signalbox_engine EXPORT SignalboxTargets LIBRARY DESTINATION ${SBX_PRIVATE_LIBDIR}
    COMPONENT Runtime NAMELINK_COMPONENT Development)
install(TARGETS signalbox-plugin-check signalbox-import RUNTIME DESTINATION ${SBX_PRIVATE_LIBDIR})
# DT_RPATH, not DT_RUNPATH, since only the former is also used for what the libraries themselves need: see SignalboxBundle.cmake.in.
foreach(helper signalbox-plugin-check signalbox-import)
    set_target_properties(${helper} PROPERTIES INSTALL_RPATH "\$ORIGIN")
    target_link_options(${helper} PRIVATE LINKER:--disable-new-dtags)
endforeach()

# For plugins: the headers, and find_package(Signalbox). A plugin is only loaded by the very engine it was built for: the package with
# the headers depends on exactly its version of the programs.
set_target_properties(signalbox_engine PROPERTIES EXPORT_NAME engine)
target_include_directories(signalbox_engine INTERFACE $<INSTALL_INTERFACE:${SBX_INCLUDEDIR}>)
target_link_libraries(signalbox_engine INTERFACE $<INSTALL_INTERFACE:glm::glm>)
target_compile_features(signalbox_engine INTERFACE cxx_std_20)
# Not those that need the headers of other libraries than glm: the physics' and the renderer's inner parts.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/engine/*.h)
set(inner "")
set(found TRUE)
while(found) # whatever includes such a header is one
    set(found FALSE)
    foreach(header IN LISTS headers)
        file(STRINGS ${CMAKE_SOURCE_DIR}/${header} uses REGEX "^#include ")
        set(foreign ${uses})
        list(FILTER foreign INCLUDE REGEX "<[^>]*[./]")
        list(FILTER foreign EXCLUDE REGEX "<(glm/|sys/|netinet/|arpa/|(emmintrin|immintrin|x86intrin|fcntl|poll|unistd)\\.h>)")
        foreach(other IN LISTS inner)
            if(uses MATCHES "\"${other}\"")
                set(foreign TRUE)
            endif()
        endforeach()
        if(foreign)
            list(APPEND inner ${header})
            list(REMOVE_ITEM headers ${header})
            set(found TRUE)
        endif()
    endforeach()
endwhile()
foreach(header IN LISTS headers)
    cmake_path(GET header PARENT_PATH folder)
    install(FILES ${CMAKE_SOURCE_DIR}/${header} DESTINATION ${SBX_INCLUDEDIR}/${folder} COMPONENT Development)
endforeach()
install(FILES ${CMAKE_BINARY_DIR}/generated/engine/plugin/engine_stamp.h DESTINATION ${SBX_INCLUDEDIR}/engine/plugin COMPONENT Development)
install(EXPORT SignalboxTargets NAMESPACE signalbox:: DESTINATION ${SBX_CMAKEDIR} COMPONENT Development)
include(CMakePackageConfigHelpers)
set(SBX_PLUGIN_CHECK ${SBX_PRIVATE_LIBDIR}/signalbox-plugin-check)
set(SBX_PLAYER ${CMAKE_INSTALL_BINDIR}/signalbox-player)
configure_package_config_file(${CMAKE_SOURCE_DIR}/installer/cmake/SignalboxConfig.cmake.in
    ${CMAKE_BINARY_DIR}/generated/cmake/SignalboxConfig.cmake
    INSTALL_DESTINATION ${SBX_CMAKEDIR} PATH_VARS SBX_PLUGIN_CHECK SBX_PLAYER)
# 0.1 and 0.2 do not mix; the stamp is stricter still.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/generated/cmake/SignalboxConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/generated/cmake/SignalboxConfig.cmake
    ${CMAKE_BINARY_DIR}/generated/cmake/SignalboxConfigVersion.cmake DESTINATION ${SBX_CMAKEDIR} COMPONENT Development)

foreach(program signalbox signalbox-player)
    if(TARGET ${program})
        set_target_properties(${program} PROPERTIES INSTALL_RPATH "\$ORIGIN/../${SBX_PRIVATE_LIBDIR}")
        target_link_options(${program} PRIVATE LINKER:--disable-new-dtags)
        install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    endif()
endforeach()

install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${SBX_DOCDIR})
install(FILES ${CMAKE_SOURCE_DIR}/installer/debian/copyright DESTINATION ${SBX_DOCDIR})
# For those who run a server: copied from there and changed.
install(FILES ${CMAKE_SOURCE_DIR}/installer/server/signalbox-server@.service ${CMAKE_SOURCE_DIR}/installer/server/server.conf
    ${CMAKE_SOURCE_DIR}/installer/server/Containerfile DESTINATION ${SBX_DOCDIR}/examples/server)
install(PROGRAMS ${CMAKE_SOURCE_DIR}/installer/server/make-container DESTINATION ${SBX_DOCDIR}/examples/server)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/resources/licenses DESTINATION ${SBX_DOCDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/resources/manual DESTINATION ${SBX_DATADIR} OPTIONAL PATTERN "*.sh" EXCLUDE)

if(TARGET signalbox)
    set(icon ${CMAKE_SOURCE_DIR}/resources/icons/app/signalbox.svg)
    install(FILES ${CMAKE_SOURCE_DIR}/installer/desktop/signalbox.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
    install(FILES ${CMAKE_SOURCE_DIR}/installer/desktop/signalbox.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
    install(FILES ${CMAKE_SOURCE_DIR}/installer/desktop/signalbox.thumbnailer DESTINATION ${CMAKE_INSTALL_DATADIR}/thumbnailers)
    install(FILES ${CMAKE_SOURCE_DIR}/installer/desktop/signalbox.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
    install(FILES ${icon} DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)

    find_package(Qt6 6.4 REQUIRED COMPONENTS Gui Svg)
    add_executable(render_icon ${CMAKE_SOURCE_DIR}/installer/icons/render_icon.cpp)
    target_link_libraries(render_icon PRIVATE sbx_warnings Qt6::Gui Qt6::Svg)
    set_target_properties(render_icon PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tools)
    set(pictures "")
    foreach(size 16 22 24 32 48 64 128 256)
        set(picture ${CMAKE_BINARY_DIR}/icons/signalbox-${size}.png)
        add_custom_command(OUTPUT ${picture}
            COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/icons
            COMMAND render_icon ${icon} ${size} ${picture}
            DEPENDS ${icon} VERBATIM)
        list(APPEND pictures ${picture})
        install(FILES ${picture} DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/${size}x${size}/apps RENAME signalbox.png)
    endforeach()
    add_custom_target(application_icons ALL DEPENDS ${pictures})
endif()

# --- manual pages and shell completion, written by the programs from the tables of their options; the changelog as Debian expects it
set(written "")
foreach(program signalbox signalbox-player)
    if(NOT TARGET ${program})
        continue()
    endif()
    set(page ${CMAKE_BINARY_DIR}/generated/man/${program}.1.gz)
    set(completion ${CMAKE_BINARY_DIR}/generated/completions/${program})
    add_custom_command(OUTPUT ${page} ${completion}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/generated/man ${CMAKE_BINARY_DIR}/generated/completions
        COMMAND sh -c "\"$1\" --manual-page | gzip -9n > \"$2\" && \"$1\" --completion > \"$3\"" -- $<TARGET_FILE:${program}> ${page} ${completion}
        DEPENDS ${program} VERBATIM)
    list(APPEND written ${page} ${completion})
    install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${completion} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endforeach()
set(changelog ${CMAKE_BINARY_DIR}/generated/changelog.gz)
add_custom_command(OUTPUT ${changelog}
    COMMAND sh -c "gzip -9nc \"$1\" > \"$2\"" -- ${CMAKE_SOURCE_DIR}/installer/debian/changelog ${changelog}
    DEPENDS ${CMAKE_SOURCE_DIR}/installer/debian/changelog VERBATIM)
install(FILES ${changelog} DESTINATION ${SBX_DOCDIR})
# Debian asks for both in every package.
install(FILES ${changelog} ${CMAKE_SOURCE_DIR}/installer/debian/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/signalbox-dev
    COMPONENT Development)
add_custom_target(manual_pages ALL DEPENDS ${written} ${changelog})

# --- what archives carry beside it
if(TARGET signalbox)
    get_target_property(qmake Qt6::qmake IMPORTED_LOCATION)
    execute_process(COMMAND ${qmake} -query QT_INSTALL_PLUGINS OUTPUT_VARIABLE SBX_QT_PLUGINS OUTPUT_STRIP_TRAILING_WHITESPACE)
    include(SignalboxCarried)
    set(SBX_PACKED_PROGRAMS "")
    foreach(program signalbox signalbox-player signalbox-plugin-check signalbox-import)
        string(APPEND SBX_PACKED_PROGRAMS "\n        \"$<TARGET_FILE:${program}>\"")
    endforeach()
    set(SBX_PACKED_LIBRARY $<TARGET_FILE:signalbox_engine>)
    configure_file(${CMAKE_SOURCE_DIR}/installer/cmake/SignalboxBundle.cmake.in
        ${CMAKE_BINARY_DIR}/generated/cmake/SignalboxBundle.cmake.in @ONLY)
    file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/generated/cmake/SignalboxBundle.cmake
        INPUT ${CMAKE_BINARY_DIR}/generated/cmake/SignalboxBundle.cmake.in)
    install(SCRIPT ${CMAKE_BINARY_DIR}/generated/cmake/SignalboxBundle.cmake COMPONENT Bundle EXCLUDE_FROM_ALL)
endif()

# --- packages
# From a checkout the version says which commit it is, so that a later build upgrades an earlier one; the time of the commit is
# that of every packed file, so that two builds give the same bytes.
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(SBX_SOURCE_DATE $ENV{SOURCE_DATE_EPOCH})
find_package(Git QUIET)
if(GIT_FOUND AND EXISTS ${CMAKE_SOURCE_DIR}/.git)
    execute_process(COMMAND ${GIT_EXECUTABLE} -C ${CMAKE_SOURCE_DIR} show -s --format=%ct:%h --abbrev=8 HEAD
        OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(commit MATCHES "^([0-9]+):([0-9a-f]+)$")
        set(hash ${CMAKE_MATCH_2})
        if(NOT SBX_SOURCE_DATE)
            set(SBX_SOURCE_DATE ${CMAKE_MATCH_1})
        endif()
        set(ENV{SOURCE_DATE_EPOCH} ${CMAKE_MATCH_1})
        string(TIMESTAMP day %Y%m%d%H%M%S UTC)
        unset(ENV{SOURCE_DATE_EPOCH})
        set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION}+${day}.${hash})
    endif()
endif()

set(CPACK_PACKAGE_NAME signalbox)
set(CPACK_PACKAGE_VENDOR "The Signalbox authors")
set(CPACK_PACKAGE_CONTACT "The Signalbox authors <authors@signalbox.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "desktop sandbox for message-driven entities")
set(CPACK_PACKAGE_DESCRIPTION
"Entities are declared in text files, bodies fall, and every message between
components can be followed: which handlers saw it, which consumed it, which
were not reached. Holds the editor (signalbox), the player without an editor
(signalbox-player), the engine library and the sample projects.")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGE_FILE_NAME "signalbox-${CPACK_PACKAGE_VERSION}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB TGZ STGZ)
set(CPACK_VERBATIM_VARIABLES ON)
# CMake's own target `package` would build everything first, tests and benchmarks too. It is there whenever this file is.
file(REMOVE ${CMAKE_BINARY_DIR}/CPackConfig.cmake)
set(CPACK_OUTPUT_CONFIG_FILE ${CMAKE_BINARY_DIR}/SignalboxPackage.cmake)

# Which components go where differs by kind of package.
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_SOURCE_DIR}/installer/cmake/SignalboxGenerators.cmake)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/installer/cmake/SignalboxTimes.cmake)
set(CPACK_POST_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/installer/cmake/SignalboxSymbols.cmake)
set(CPACK_SBX_SOURCE_DATE ${SBX_SOURCE_DATE})

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEB_COMPONENT_INSTALL ON)
# Symbols for debugging, in a package of their own (signalbox-dbgsym): gdb and crash reports then name lines.
set(CPACK_DEBIAN_RUNTIME_DEBUGINFO_PACKAGE ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME signalbox)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME signalbox-dev)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/lib)
# Qt loads its OpenGL integration for X as a plugin, which no library names.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS "qt6-qpa-plugins, libgl1, libegl1")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "libgl1-mesa-dri, fonts-inter, fonts-dejavu-core, qt6-wayland")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS signalbox-dev)
# What building a plugin takes; a machine that only plays needs none of it.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "signalbox (= ${CPACK_PACKAGE_VERSION}), cmake (>= 3.25), make, g++ (>= 4:12), libglm-dev")
# Before 0.1.0+… the headers were in the package of the programs.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_REPLACES "signalbox (<= 0.1.0)")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_BREAKS "signalbox (<= 0.1.0)")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "${CPACK_PACKAGE_DESCRIPTION}")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
"Headers and CMake files for components of one's own: a plugin is a shared
library that a project names, built against exactly this version.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
include(CPack)

add_custom_target(package COMMAND ${CMAKE_CPACK_COMMAND} --config ${CPACK_OUTPUT_CONFIG_FILE} USES_TERMINAL VERBATIM)
add_dependencies(package signalbox_engine signalbox-plugin-check signalbox-import manual_pages)
foreach(packed signalbox signalbox-player application_icons)
    if(TARGET ${packed})
        add_dependencies(package ${packed})
    endif()
endforeach()
