# What is installed where, and the target `package`: DEB, TGZ and STGZ with both programs, the library and the resources.
# The library lies in a folder of its own that only the programs' run path names: it is no system library.

set(SBX_PRIVATE_LIBDIR lib/signalbox)
set(SBX_DATADIR ${CMAKE_INSTALL_DATADIR}/signalbox)
set(SBX_DOCDIR ${CMAKE_INSTALL_DATADIR}/doc/signalbox)

install(TARGETS signalbox_engine LIBRARY DESTINATION ${SBX_PRIVATE_LIBDIR} NAMELINK_SKIP)
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

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/lib)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libgl1-mesa-dri, fonts-inter, fonts-dejavu-core")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
