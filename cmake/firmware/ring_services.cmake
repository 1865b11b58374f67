# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# Which of the kernel's services bodies call, in a firmware that measures itself (HRL_TRACE): their calls are recorded.
# hrl_ring_services(<firmware>) lets a target link wrappers of these services. What bodies call is known when they are
# compiled, so this file is also the script that writes the wrappers then: cmake -P, with
#
#   BODIES    the archive of bodies, and NM, which lists its symbols
#   WRAPPERS  the assembly to write
#   OPTIONS   the file of the linker's options to write

if(CMAKE_SCRIPT_MODE_FILE)
  execute_process(COMMAND ${NM} -u ${BODIES} OUTPUT_VARIABLE symbols RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "horolog: ${NM} does not list ${BODIES}")
  endif()
  string(REGEX MATCHALL "hrl_[a-z_]+" called "${symbols}")
  list(REMOVE_DUPLICATES called)
  # What the tool has written, what never returns, and hooks are no services; and a body may call a function of another.
  list(FILTER called EXCLUDE REGEX "^hrl_(gen_.*|start|thread_exit|basic_terminate|program_end|work|.*_hook)$")
  set(text "#include \"service.inc\"\n    .syntax unified\n    .thumb\n")
  set(options "")
  foreach(name IN LISTS called)
    string(APPEND text "    service __wrap_${name}, __real_${name}\n")
    string(APPEND options "-Wl,--wrap=${name}\n")
  endforeach()
  file(CONFIGURE OUTPUT ${WRAPPERS} CONTENT "${text}" @ONLY)
  file(CONFIGURE OUTPUT ${OPTIONS} CONTENT "${options}" @ONLY)
  return()
endif()

function(hrl_ring_services firmware)
  set(wrappers ${CMAKE_BINARY_DIR}/ring_services.S)
  set(options ${CMAKE_BINARY_DIR}/ring_services.options)
  add_custom_command(OUTPUT ${wrappers} ${options}
    COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} -DBODIES=$<TARGET_FILE:hrl_bodies> -DWRAPPERS=${wrappers}
      -DOPTIONS=${options} -P ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
    DEPENDS hrl_bodies ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
    COMMENT "which services bodies call")
  target_sources(${firmware} PRIVATE ${wrappers})
  target_link_options(${firmware} PRIVATE "@${options}")
  set_property(TARGET ${firmware} APPEND PROPERTY LINK_DEPENDS ${options})
endfunction()
