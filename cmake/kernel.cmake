# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# The kernel's rooms as object libraries, each with the include paths that it may use and no others
# (docs/adr/0001-layers.md): an arrow that points the wrong way does not compile.
#
#   hrl_kernel(<root> <prefix> <port include directories>...)
#
# defines <prefix>_time, <prefix>_queue, ..., and the static library <prefix>_kernel of all of them.

function(hrl_room root prefix name)
  cmake_parse_arguments(room "" "" "MAY_USE;PORT" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${root}/kernel/${name}/*.c)
  if(NOT sources)
    return()
  endif()
  add_library(${prefix}_${name} OBJECT ${sources})
  target_compile_options(${prefix}_${name} PRIVATE ${HRL_KERNEL_FLAGS})
  target_include_directories(${prefix}_${name} PRIVATE
    ${root}/include ${root}/ports/include ${room_PORT} ${root}/kernel/${name} ${root}/kernel/trace)
  foreach(other IN LISTS room_MAY_USE)
    target_include_directories(${prefix}_${name} PRIVATE ${root}/kernel/${other})
  endforeach()
endfunction()

function(hrl_kernel root prefix)
  set(port ${ARGN})
  hrl_room(${root} ${prefix} time PORT ${port})
  hrl_room(${root} ${prefix} queue MAY_USE time PORT ${port})
  hrl_room(${root} ${prefix} ready MAY_USE time PORT ${port})
  hrl_room(${root} ${prefix} release MAY_USE time queue ready PORT ${port})
  hrl_room(${root} ${prefix} task MAY_USE time queue ready release PORT ${port})
  hrl_room(${root} ${prefix} sync MAY_USE time queue ready release task PORT ${port})
  set(objects)
  foreach(name time queue ready release task sync)
    if(TARGET ${prefix}_${name})
      list(APPEND objects $<TARGET_OBJECTS:${prefix}_${name}>)
    endif()
  endforeach()
  add_library(${prefix}_kernel STATIC ${objects})
  if(TARGET ${prefix}_yield)
    target_link_libraries(${prefix}_kernel PUBLIC ${prefix}_yield)
  endif()
endfunction()

# What only generated code may see: every room.
function(hrl_all_rooms root target)
  target_include_directories(${target} PRIVATE ${root}/include ${root}/ports/include
    ${root}/kernel/time ${root}/kernel/queue ${root}/kernel/ready ${root}/kernel/release
    ${root}/kernel/task ${root}/kernel/sync ${root}/kernel/trace ${root}/kernel/assemble)
endfunction()
