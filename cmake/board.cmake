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

function(hrl_board_memory directory result)
  if(HRL_MEMORY)
    set(${result} ${HRL_MEMORY} PARENT_SCOPE)
    return()
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${directory}/board.toml)
  file(READ ${directory}/board.toml text)
  string(REPLACE ";" "," text "${text}") # in comments; it would divide the list
  string(REGEX MATCHALL "\\[\\[memory\\]\\][^[]*" tables "${text}")
  set(regions)
  foreach(table IN LISTS tables)
    set(region)
    foreach(key IN ITEMS name origin length)
      if(NOT table MATCHES "\n${key} *= *\"?([A-Za-z0-9_]+)")
        message(FATAL_ERROR "horolog: a [[memory]] of ${directory}/board.toml has no line with its ${key}")
      endif()
      set(value ${CMAKE_MATCH_1})
      if(NOT key STREQUAL "name")
        string(REPLACE "_" "" value ${value})
      endif()
      string(APPEND region "${value} ")
    endforeach()
    string(STRIP ${region} region)
    list(APPEND regions ${region})
  endforeach()
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
  target_link_options(${target} PRIVATE -T ${script} -L${folder} -Wl,--no-warn-rwx-segments)
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${script} ${folder}/hrl_memory.ld)
endfunction()
