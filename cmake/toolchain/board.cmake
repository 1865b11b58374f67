# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# The toolchain of a board: HRL_BOARD is the name of one that comes with Horolog, or the folder of one of your own (absolute,
# or relative to the project's). The processor is that of its board.toml.

if(NOT DEFINED HRL_CPU) # CMake includes this file again for its trials, and gives HRL_CPU to these
  include(${CMAKE_CURRENT_LIST_DIR}/../toml.cmake)
  get_filename_component(HRL_BOARDS ${CMAKE_CURRENT_LIST_DIR}/../../boards ABSOLUTE)
  set(hrl_toml ${HRL_BOARDS}/${HRL_BOARD}/board.toml)
  get_filename_component(hrl_own "${HRL_BOARD}/board.toml" ABSOLUTE BASE_DIR ${CMAKE_SOURCE_DIR})
  if(EXISTS ${hrl_own})
    set(hrl_toml ${hrl_own})
  elseif("${HRL_BOARD}" STREQUAL "" OR NOT EXISTS ${hrl_toml})
    file(GLOB hrl_known RELATIVE ${HRL_BOARDS} ${HRL_BOARDS}/*)
    list(REMOVE_ITEM hrl_known host)
    list(JOIN hrl_known ", " hrl_known)
    message(FATAL_ERROR "horolog: HRL_BOARD is '${HRL_BOARD}'; say -DHRL_BOARD=<board>, one of ${hrl_known}, or the folder of a "
      "board.toml of your own")
  endif()
  hrl_toml_tables(${hrl_toml} board hrl_table)
  foreach(hrl_key IN ITEMS arch cpu fpu)
    string(TOUPPER HRL_${hrl_key} hrl_name)
    hrl_toml_value("${hrl_table}" ${hrl_key} ${hrl_name})
  endforeach()
  if(HRL_ARCH STREQUAL host)
    message(FATAL_ERROR "horolog: the board host is this machine, which needs no toolchain file")
  endif()
  set(HRL_TOOLCHAIN_ARCH ${HRL_ARCH})
  unset(HRL_ARCH)
endif()
if(NOT EXISTS ${CMAKE_CURRENT_LIST_DIR}/${HRL_TOOLCHAIN_ARCH}.cmake)
  message(FATAL_ERROR "horolog: there is no toolchain file '${HRL_TOOLCHAIN_ARCH}'; with HRL_CPU say HRL_TOOLCHAIN_ARCH, or "
    "only HRL_BOARD")
endif()
include(${CMAKE_CURRENT_LIST_DIR}/${HRL_TOOLCHAIN_ARCH}.cmake)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES HRL_TOOLCHAIN_ARCH)
