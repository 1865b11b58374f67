# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# How a firmware is linked for a board.
#
#   hrl_link_for_board(<target> <board directory> [<linker script>])
#
# takes the board's link.ld, or the script that is named. It includes hrl_memory.ld, which is made here, with a region
# for each [[memory]] of the directory's board.toml: how much memory a board has is said there and nowhere else.
# HRL_MEMORY, a list of "<name> <origin> <length>", is what the tool has read there; without it the file is read here,
# as our boards have it: a key a line.

include(${CMAKE_CURRENT_LIST_DIR}/toml.cmake)

function(hrl_board_memory directory result)
  if(HRL_MEMORY)
    set(${result} ${HRL_MEMORY} PARENT_SCOPE)
    return()
  endif()
  hrl_toml_things(${directory}/board.toml memory regions name origin length)
  if(NOT regions)
    message(FATAL_ERROR "horolog: ${directory}/board.toml has no [[memory]]")
  endif()
  set(${result} ${regions} PARENT_SCOPE)
endfunction()

function(hrl_link_for_board target directory)
  set(script ${directory}/link.ld)
  if(ARGC GREATER 2)
    set(script ${ARGV2})
  endif()
  hrl_board_memory(${directory} regions)
  set(text "/* Made of the board's board.toml. */\nMEMORY\n{\n")
  foreach(region IN LISTS regions)
    string(REPLACE " " ";" region ${region})
    list(GET region 0 name)
    list(GET region 1 origin)
    list(GET region 2 length)
    string(APPEND text "    ${name} : ORIGIN = ${origin}, LENGTH = ${length}\n")
  endforeach()
  get_filename_component(board ${directory} NAME)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/hrl_memory/${board})
  file(CONFIGURE OUTPUT ${folder}/hrl_memory.ld CONTENT "${text}}\n" @ONLY)
  target_link_options(${target} PRIVATE -T ${script} -L${folder})
  if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "avr") # Debian's linker for it is older than that warning
    target_link_options(${target} PRIVATE -Wl,--no-warn-rwx-segments)
  endif()
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${script} ${folder}/hrl_memory.ld)
endfunction()
