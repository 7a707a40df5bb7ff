# Run by CPack before it packs (CPACK_PRE_BUILD_SCRIPTS): every packed file gets the time of the source (SOURCE_DATE_EPOCH, or the commit's), so
# that the same source gives the same bytes.
if(NOT CPACK_SBX_SOURCE_DATE)
    return()
endif()
execute_process(COMMAND find ${CPACK_TEMPORARY_DIRECTORY} -exec touch --no-dereference --date=@${CPACK_SBX_SOURCE_DATE} {} +)
