# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# Reads board.toml, without Python, as ours are written: a key a line; no "#", "[", "{" or "," in a string.
#
#   hrl_toml_tables(<file> <name> <result>)   the text of [name], or of each [[name]], or of each { } in name = [ ]
#   hrl_toml_value(<table> <key> <result>)    the value of the key in such a text; empty if there is none
#   hrl_toml_things(<file> <name> <result> <keys>...)
#
# The last one gives "<value> <value> ..." of the keys for each thing of [[name]]; a table with `count` stands for so
# many: numbers count on from the table's, and other values but `device` have the thing's number behind them.

function(hrl_toml_tables file name result)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  string(REGEX REPLACE "#[^\n]*" "" text "\n${text}")
  string(REPLACE "\n[[" "\n@" text "${text}") # "@" begins a table; other brackets would divide a list of CMake
  string(REPLACE "\n[" "\n@" text "${text}")
  string(REPLACE "[" "<" text "${text}")
  string(REPLACE "]" ">" text "${text}")
  string(REGEX MATCHALL "@([a-z_]+[.])?${name}>[^@]*" tables "${text}")
  if(text MATCHES "\n${name} *= *<([^>]*)>")
    string(REGEX MATCHALL "{[^}]*}" tables "${CMAKE_MATCH_1}")
  endif()
  set(${result} "${tables}" PARENT_SCOPE)
endfunction()

function(hrl_toml_value table key result)
  set(value "")
  if(table MATCHES "[\n{,] *${key} *= *\"?([^\",}\n]*[^\",} \n])")
    set(value ${CMAKE_MATCH_1})
  endif()
  if(value MATCHES "^[0-9]")
    string(REPLACE "_" "" value ${value})
  endif()
  set(${result} "${value}" PARENT_SCOPE)
endfunction()

function(hrl_toml_things file name result)
  hrl_toml_tables(${file} ${name} tables)
  set(things)
  foreach(table IN LISTS tables)
    hrl_toml_value("${table}" count count)
    set(last 0)
    if(count)
      math(EXPR last "${count} - 1")
    endif()
    foreach(at RANGE ${last})
      set(values)
      foreach(key IN LISTS ARGN)
        hrl_toml_value("${table}" ${key} value)
        if(value STREQUAL "")
          message(FATAL_ERROR "horolog: a [[${name}]] of ${file} has no line with its ${key}")
        elseif(count AND value MATCHES "^[0-9]+$")
          math(EXPR value "${value} + ${at}")
        elseif(count AND NOT key STREQUAL "device")
          string(APPEND value ${at})
        endif()
        list(APPEND values ${value})
      endforeach()
      list(JOIN values " " values)
      list(APPEND things ${values})
    endforeach()
  endforeach()
  set(${result} "${things}" PARENT_SCOPE)
endfunction()
