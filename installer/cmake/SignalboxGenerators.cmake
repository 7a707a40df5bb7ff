# Read by CPack once for each kind of package (CPACK_PROJECT_CONFIG_FILE).
if(CPACK_GENERATOR STREQUAL "DEB")
    set(CPACK_COMPONENTS_ALL Runtime Development)
    set(CPACK_STRIP_FILES OFF) # the symbols go to signalbox-dbgsym
else()
    set(CPACK_COMPONENTS_ALL Runtime Development Bundle)
    set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
    set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
    # One folder, so that unpacking an archive never scatters files; the self-extracting one makes it itself.
    if(CPACK_GENERATOR STREQUAL "TGZ")
        set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
    endif()
endif()

# The archives and what is in a DEB carry the time of their making, unless this names another: that of the source, so that the same source gives
# the same bytes.
if(CPACK_SBX_SOURCE_DATE)
    set(ENV{SOURCE_DATE_EPOCH} ${CPACK_SBX_SOURCE_DATE})
endif()
