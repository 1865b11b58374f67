# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# The kernel's rooms as object libraries, each with the include paths that it may use and no others
# (docs/adr/0001-layers.md): an arrow that points the wrong way does not compile.
#
#   hrl_kernel(<root> <prefix> <port include directories>... [TIME_AND_QUEUE_OF <another prefix>]
#              [WITHOUT <rooms>...])
#
# takes HRL_ONLY_QUEUE, if it is set: the one queue whose nodes are as large as they are (cmake/queues.cmake); and
# defines <prefix>_time, <prefix>_queue, ..., and the static library <prefix>_kernel of all of them. With
# TIME_AND_QUEUE_OF these two rooms, on which no variant of the build depends, are those of another prefix. WITHOUT names
# rooms that nothing links.

function(hrl_room root prefix name)
  cmake_parse_arguments(room "" "" "MAY_USE;PORT" ${ARGN})
  if(name IN_LIST kernel_WITHOUT)
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${root}/kernel/${name}/*.c)
  if(name STREQUAL queue AND HRL_ONLY_QUEUE)
    set(sources ${root}/kernel/queue/${HRL_ONLY_QUEUE}.c)
  endif()
  if(NOT sources)
    return()
  endif()
  add_library(${prefix}_${name} OBJECT ${sources})
  target_compile_options(${prefix}_${name} PRIVATE ${HRL_KERNEL_FLAGS})
  target_compile_definitions(${prefix}_${name} PRIVATE ${HRL_PRESCALERS})
  target_include_directories(${prefix}_${name} PRIVATE
    ${root}/include ${root}/ports/include ${room_PORT} ${root}/kernel/${name})
  foreach(other IN LISTS room_MAY_USE)
    target_include_directories(${prefix}_${name} PRIVATE ${root}/kernel/${other})
  endforeach()
endfunction()

set(HRL_ROOMS time queue ready release core trace interrupt basic guard table thread server sync)

function(hrl_kernel root prefix)
  cmake_parse_arguments(kernel "" "TIME_AND_QUEUE_OF" "WITHOUT" ${ARGN})
  set(port ${kernel_UNPARSED_ARGUMENTS})
  set(own ${HRL_ROOMS})
  set(objects)
  if(kernel_TIME_AND_QUEUE_OF)
    list(REMOVE_ITEM own time queue)
    foreach(name IN ITEMS time queue)
      list(APPEND objects $<TARGET_OBJECTS:${kernel_TIME_AND_QUEUE_OF}_${name}>)
    endforeach()
  else()
    hrl_room(${root} ${prefix} time PORT ${port})
    hrl_room(${root} ${prefix} queue MAY_USE time PORT ${port})
  endif()
  hrl_room(${root} ${prefix} ready MAY_USE time PORT ${port})
  hrl_room(${root} ${prefix} release MAY_USE time queue ready PORT ${port})
  hrl_room(${root} ${prefix} core MAY_USE time ready PORT ${port})
  if(HRL_TRACE)
    hrl_room(${root} ${prefix} trace MAY_USE time ready core PORT ${port})
  endif()
  hrl_room(${root} ${prefix} interrupt MAY_USE time PORT ${port})
  hrl_room(${root} ${prefix} basic MAY_USE time ready core PORT ${port})
  hrl_room(${root} ${prefix} guard MAY_USE time core basic PORT ${port})
  hrl_room(${root} ${prefix} table MAY_USE time ready basic PORT ${port})
  hrl_room(${root} ${prefix} thread MAY_USE time queue ready release core PORT ${port})
  hrl_room(${root} ${prefix} server MAY_USE time queue ready release core basic thread PORT ${port})
  hrl_room(${root} ${prefix} sync MAY_USE time queue ready release core thread PORT ${port})
  foreach(name IN LISTS own)
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
  set(rooms ${HRL_ROOMS} assemble)
  list(TRANSFORM rooms PREPEND ${root}/kernel/)
  target_include_directories(${target} PRIVATE ${root}/include ${root}/ports/include ${rooms})
endfunction()
