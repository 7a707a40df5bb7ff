# What is installed where, and the target `package`: DEB, TGZ and STGZ with both programs, the library and the resources.
# The library lies in a folder of its own that only the programs' run path names: it is no system library.

set(SBX_PRIVATE_LIBDIR lib/signalbox)
set(SBX_DATADIR ${CMAKE_INSTALL_DATADIR}/signalbox)
set(SBX_DOCDIR ${CMAKE_INSTALL_DATADIR}/doc/signalbox)

set(SBX_INCLUDEDIR ${CMAKE_INSTALL_INCLUDEDIR}/signalbox)
set(SBX_CMAKEDIR lib/cmake/Signalbox)

install(TARGETS signalbox_engine EXPORT SignalboxTargets LIBRARY DESTINATION ${SBX_PRIVATE_LIBDIR})
install(TARGETS signalbox-plugin-check signalbox-import RUNTIME DESTINATION ${SBX_PRIVATE_LIBDIR})
set_target_properties(signalbox-plugin-check PROPERTIES INSTALL_RPATH "\$ORIGIN")

# For plugins: the headers, and find_package(Signalbox). They ride in the same package as the programs, because a plugin is
# only loaded by the very engine it was built for: two packages could be out of step, one cannot.
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
    install(FILES ${CMAKE_SOURCE_DIR}/${header} DESTINATION ${SBX_INCLUDEDIR}/${folder})
endforeach()
install(FILES ${CMAKE_BINARY_DIR}/generated/engine/session/engine_stamp.h DESTINATION ${SBX_INCLUDEDIR}/engine/session)
install(EXPORT SignalboxTargets NAMESPACE signalbox:: DESTINATION ${SBX_CMAKEDIR})
include(CMakePackageConfigHelpers)
set(SBX_PLUGIN_CHECK ${SBX_PRIVATE_LIBDIR}/signalbox-plugin-check)
configure_package_config_file(${CMAKE_SOURCE_DIR}/installer/cmake/SignalboxConfig.cmake.in
    ${CMAKE_BINARY_DIR}/generated/cmake/SignalboxConfig.cmake
    INSTALL_DESTINATION ${SBX_CMAKEDIR} PATH_VARS SBX_PLUGIN_CHECK)
# 0.1 and 0.2 do not mix; the stamp is stricter still.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/generated/cmake/SignalboxConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/generated/cmake/SignalboxConfig.cmake
    ${CMAKE_BINARY_DIR}/generated/cmake/SignalboxConfigVersion.cmake DESTINATION ${SBX_CMAKEDIR})

foreach(program signalbox signalbox-player)
    if(TARGET ${program})
        set_target_properties(${program} PROPERTIES INSTALL_RPATH "\$ORIGIN/../${SBX_PRIVATE_LIBDIR}")
        install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    endif()
endforeach()

install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${SBX_DOCDIR})
install(FILES ${CMAKE_SOURCE_DIR}/installer/debian/copyright DESTINATION ${SBX_DOCDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/resources/licenses DESTINATION ${SBX_DOCDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/resources/manual DESTINATION ${SBX_DATADIR} OPTIONAL)

if(TARGET signalbox)
    set(icon ${CMAKE_SOURCE_DIR}/resources/icons/app/signalbox.svg)
    install(FILES ${CMAKE_SOURCE_DIR}/installer/desktop/signalbox.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
    install(FILES ${CMAKE_SOURCE_DIR}/installer/desktop/signalbox.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
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

set(CPACK_PACKAGE_NAME signalbox)
set(CPACK_PACKAGE_VENDOR "The Signalbox authors")
set(CPACK_PACKAGE_CONTACT "The Signalbox authors <authors@signalbox.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "desktop sandbox for message-driven entities")
set(CPACK_PACKAGE_DESCRIPTION
"Entities are declared in text files, bodies fall, and every message between
components can be followed: which handlers saw it, which consumed it, which
were not reached. Holds the editor (signalbox), the player without an editor
(signalbox-player), the engine library and the sample projects.")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGE_FILE_NAME "signalbox-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB TGZ STGZ)
set(CPACK_VERBATIM_VARIABLES ON)
# CMake's own target `package` would build everything first, tests and benchmarks too. It is there whenever this file is.
file(REMOVE ${CMAKE_BINARY_DIR}/CPackConfig.cmake)
set(CPACK_OUTPUT_CONFIG_FILE ${CMAKE_BINARY_DIR}/SignalboxPackage.cmake)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/lib)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libgl1-mesa-dri, fonts-inter, fonts-dejavu-core")
# What building a plugin takes; a machine that only plays needs none of it.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, g++ (>= 4:12), libglm-dev")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)

add_custom_target(package COMMAND ${CMAKE_CPACK_COMMAND} --config ${CPACK_OUTPUT_CONFIG_FILE} USES_TERMINAL VERBATIM)
add_dependencies(package signalbox_engine signalbox-plugin-check signalbox-import)
foreach(packed signalbox signalbox-player application_icons)
    if(TARGET ${packed})
        add_dependencies(package ${packed})
    endif()
endforeach()
