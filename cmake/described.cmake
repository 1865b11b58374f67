# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# A system that the tool has generated, as parts of a build: what the firmware of `horolog build` (firmware/) and the targets
# of horolog_system.cmake have in common. HRL_GENERATED is the folder of generated sources, whose system.cmake is included
# before.
#
#   hrl_described_variant()              sets HRL_VARIANT, the flags without which <hrl/...> describes other objects than the
#                                        kernel's, and HRL_OWN_SOURCES, which stand beside hrl_gen_system.c
#   hrl_described_flags(<more>...)       sets HRL_COMMON_FLAGS, and HRL_KERNEL_FLAGS with <more>, for boards; HRL_CHECKS says
#                                        whether the kernel checks its callers and stacks
#   hrl_described_options(<target> <port include directories>...)
#                                        lets a target compile hrl_gen_system.c and HRL_OWN_SOURCES

set(HRL_VARIANTS RELEASE_MASKS RELEASE_PRIORITIES OWN_PRIORITIES BASIC_TASKS LINE_SERVERS GLOBAL_THREADS WITHOUT_THREADS)

macro(hrl_described_variant)
  set(HRL_VARIANT)
  foreach(hrl_name IN LISTS HRL_VARIANTS)
    if(HRL_${hrl_name}) # threads, for one, are larger by some of these
      list(APPEND HRL_VARIANT -DHRL_${hrl_name}=1)
    endif()
  endforeach()
  if(HRL_PRIORITIES) # fewer than usual
    list(APPEND HRL_VARIANT -DHRL_PRIORITIES=${HRL_PRIORITIES})
  endif()
  set(HRL_OWN_SOURCES)
  if(HRL_TRACE) # a firmware that measures itself (kernel/trace)
    list(APPEND HRL_VARIANT -DHRL_TRACE=1 -DHRL_TRACE_CYCLES=${HRL_TRACE_CYCLES}
      -DHRL_TRACE_STREAM=${HRL_TRACE_STREAM})
    list(APPEND HRL_OWN_SOURCES ${HRL_GENERATED}/hrl_gen_trace.c)
  endif()
  if(HRL_CORES GREATER 1) # each core has a generated file of its own
    list(APPEND HRL_VARIANT -DHRL_CORES=${HRL_CORES})
    math(EXPR hrl_last "${HRL_CORES} - 1")
    foreach(hrl_core RANGE ${hrl_last})
      list(APPEND HRL_OWN_SOURCES ${HRL_GENERATED}/hrl_gen_core_${hrl_core}.c)
    endforeach()
  endif()
endmacro()

macro(hrl_described_flags)
  set(HRL_COMMON_FLAGS -O2 -g -ffreestanding -ffunction-sections -fdata-sections -fno-common
    ${HRL_VARIANT} "${HRL_PREFIX_MAP}=${HRL_ROOT}=.")
  set(HRL_KERNEL_FLAGS ${HRL_COMMON_FLAGS} -DHRL_CHECKS=${HRL_CHECKS} -Wall -Wextra ${ARGN}
    "${HRL_PREFIX_MAP}=${CMAKE_BINARY_DIR}=build") # one folder's objects are another's
  list(APPEND HRL_COMMON_FLAGS "${HRL_PREFIX_MAP}=${HRL_GENERATED}=gen")
endmacro()

function(hrl_described_options target)
  target_compile_options(${target} PRIVATE ${HRL_KERNEL_FLAGS} "${HRL_PREFIX_MAP}=${HRL_GENERATED}=gen")
  target_compile_definitions(${target} PRIVATE ${HRL_PRESCALERS})
  hrl_all_rooms(${HRL_ROOT} ${target})
  target_include_directories(${target} PRIVATE ${ARGN})
endfunction()
