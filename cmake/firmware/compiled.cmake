# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# The kernel and the port as they were compiled before: by the same compiler, with the same flags, of the same texts.
#
#   hrl_compiled_before(<root>)
#
# to be called behind hrl_port and hrl_kernel with the prefix `hrl`, sets HRL_START, HRL_PORT and HRL_KERNEL, by which a
# firmware is linked: the targets hrl_start, hrl_port and hrl_kernel, which then compile what they need; or targets of the
# same objects, copied into this folder. It takes
#
#   HRL_COMPILED   a folder with a folder for each key; empty: nothing is kept
#   HRL_TEXTS      a digest of kernel/, include/ and ports/ and of what identifies the compiler
#
# The key is the digest of all that the commands are made of. A folder <key> holds `members`, the lines that are described
# below with paths relative to files/, and `others`, a line "<SHA-256> <path>" for each file that was included from
# elsewhere, such as a header of the C library: it has to be as it was.
#
# compiled.txt in the build folder then says "from <folder of the key>". If there is none, it says what will be worth to
# keep (src/horolog/build/compiled.py does that): "key <key>", "below <the build folder>", "target <target>" for each that
# compiles, "stale <key>" if a folder is there and not true, and the members in the order in which they are linked, each
# as "start <object>", "port <object>", "kernel <archive>" or "yield <archive>".

function(hrl_compile_key root result)
  set(text "${root}\n${HRL_TEXTS}\n${CMAKE_VERSION}\n${CMAKE_C_COMPILER} ${CMAKE_C_COMPILER_VERSION}\n${CMAKE_AR}\n")
  string(APPEND text "${CMAKE_C_FLAGS}\n${CMAKE_ASM_FLAGS}\n${CMAKE_C_STANDARD} ${CMAKE_C_EXTENSIONS}\n")
  foreach(target IN LISTS ARGN)
    foreach(property IN ITEMS SOURCES COMPILE_OPTIONS COMPILE_DEFINITIONS INCLUDE_DIRECTORIES)
      get_target_property(value ${target} ${property})
      string(APPEND text "${target} ${property} ${value}\n")
    endforeach()
  endforeach()
  string(REPLACE "${CMAKE_BINARY_DIR}" "." text "${text}") # which only says what it is called: HRL_PREFIX_MAP
  string(SHA256 key "${text}")
  set(${result} ${key} PARENT_SCOPE)
endfunction()

# Copies the members of `home`, if all of it is there and true; `result` is then how the lines of `members` begin.
function(hrl_copy_members home result)
  set(${result} "" PARENT_SCOPE)
  if(NOT EXISTS "${home}/members" OR NOT EXISTS "${home}/others")
    return()
  endif()
  file(STRINGS "${home}/others" lines)
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^([0-9a-f]+) (.*)$" matched "${line}")
    set(wanted ${CMAKE_MATCH_1})
    set(path "${CMAKE_MATCH_2}")
    if(NOT EXISTS "${path}")
      return()
    endif()
    file(SHA256 "${path}" found)
    if(NOT found STREQUAL wanted)
      return()
    endif()
  endforeach()
  file(STRINGS "${home}/members" members)
  foreach(line IN LISTS members)
    string(REGEX REPLACE "^[a-z]+ " "" path "${line}")
    set(copy "${CMAKE_BINARY_DIR}/compiled/${path}")
    get_filename_component(folder "${copy}" DIRECTORY)
    file(MAKE_DIRECTORY "${folder}")
    file(COPY_FILE "${home}/files/${path}" "${copy}" RESULT failed ONLY_IF_DIFFERENT)
    if(failed) # the folder is just being removed
      return()
    endif()
  endforeach()
  file(WRITE "${CMAKE_BINARY_DIR}/compiled.txt" "from ${home}\n")
  set(${result} "${members}" PARENT_SCOPE)
endfunction()

function(hrl_compiled_before root)
  set(HRL_START hrl_start PARENT_SCOPE)
  set(HRL_PORT hrl_port PARENT_SCOPE)
  set(HRL_KERNEL hrl_kernel PARENT_SCOPE)
  file(REMOVE "${CMAKE_BINARY_DIR}/compiled.txt")
  if(NOT HRL_COMPILED)
    return()
  endif()
  set(targets hrl_port)
  list(TRANSFORM HRL_ROOMS PREPEND hrl_ OUTPUT_VARIABLE rooms)
  foreach(target IN LISTS rooms ITEMS hrl_start hrl_yield)
    if(TARGET ${target})
      list(APPEND targets ${target})
    endif()
  endforeach()
  hrl_compile_key(${root} key ${targets})
  hrl_copy_members("${HRL_COMPILED}/${key}" members)
  if(NOT members)
    set(text "key ${key}\nbelow ${CMAKE_BINARY_DIR}\ntarget $<JOIN:${targets},\ntarget >\n")
    if(EXISTS "${HRL_COMPILED}/${key}")
      string(APPEND text "stale ${key}\n")
    endif()
    foreach(target IN ITEMS hrl_start hrl_port)
      if(TARGET ${target})
        string(REPLACE hrl_ "" name ${target})
        string(APPEND text "${name} $<JOIN:$<TARGET_OBJECTS:${target}>,\n${name} >\n")
      endif()
    endforeach()
    string(APPEND text "kernel $<TARGET_FILE:hrl_kernel>\n")
    if(TARGET hrl_yield)
      string(APPEND text "yield $<TARGET_FILE:hrl_yield>\n")
    endif()
    file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/compiled.txt" CONTENT "${text}")
    return()
  endif()

  add_library(hrl_kept_start OBJECT IMPORTED)
  add_library(hrl_kept_port OBJECT IMPORTED)
  add_library(hrl_kept_kernel STATIC IMPORTED)
  foreach(line IN LISTS members)
    string(REGEX MATCH "^([a-z]+) (.*)$" matched "${line}")
    set(name ${CMAKE_MATCH_1})
    set(path "${CMAKE_BINARY_DIR}/compiled/${CMAKE_MATCH_2}")
    if(name STREQUAL yield)
      add_library(hrl_kept_yield STATIC IMPORTED)
      set_property(TARGET hrl_kept_yield PROPERTY IMPORTED_LOCATION "${path}")
      set_property(TARGET hrl_kept_kernel hrl_kept_port PROPERTY INTERFACE_LINK_LIBRARIES hrl_kept_yield)
    elseif(name STREQUAL kernel)
      set_property(TARGET hrl_kept_kernel PROPERTY IMPORTED_LOCATION "${path}")
    else()
      set_property(TARGET hrl_kept_${name} APPEND PROPERTY IMPORTED_OBJECTS "${path}")
    endif()
  endforeach()
  foreach(name IN ITEMS START PORT KERNEL)
    string(TOLOWER ${name} target)
    set(HRL_${name} hrl_kept_${target} PARENT_SCOPE)
  endforeach()
endfunction()
