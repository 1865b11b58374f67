# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# The kernel for CMake projects that do without the tool: no Python, no periodic threads from a description; threads,
# sleeps and the services.
#
#   include(<root>/cmake/horolog.cmake)
#   horolog_application(<name> BOARD <board> [STORE leftist_heap|sorted_list|calendar|...]
#     [TIMING none|counting|tick|unified|unified_ns|one_plus_n] [SLICE <counts>] [RUN_TIME] [GLOBAL_THREADS] [GUARD mpu|stack-limit [GUARD_BYTES <n>]]
#     [REPORT full|halt] [BASIC] [PRESCALER <n>]
#     SOURCES main.c ...)
#
# makes <name>.elf. `main` starts threads and calls hrl_start. Boards, and how the project is configured:
#
#   mps2-an385      -DCMAKE_TOOLCHAIN_FILE=<root>/cmake/toolchain/armv7m.cmake -DHRL_CPU=cortex-m3
#   mps2-an386      the same with -DHRL_CPU=cortex-m4 -DHRL_FPU=fpv4-sp-d16
#   mps2-an521      the same with -DHRL_CPU=cortex-m33+nodsp
#   lm3s6965evb     as mps2-an385
#   pico-x2         -DCMAKE_TOOLCHAIN_FILE=<root>/cmake/toolchain/armv6m.cmake -DHRL_CPU=cortex-m0plus; so pico
#   microbit        -DCMAKE_TOOLCHAIN_FILE=<root>/cmake/toolchain/armv6m.cmake -DHRL_CPU=cortex-m0
#   qemu-virt-rv32  -DCMAKE_TOOLCHAIN_FILE=<root>/cmake/toolchain/rv32.cmake -DHRL_CPU=rv32imac; so qemu-virt-rv32-x2, -x4
#   ibex-cells      the same with -DHRL_CPU=rv32imc; so ibex-cells-small
#   host            nothing: a Linux process, in virtual time
#
# STORE holds the threads that sleep or wait with a time-out: a queue of kernel/queue that needs no arrays (README.md there
# has their costs). The sorted list, the default on boards with up to 64 KB of RAM, takes the least memory, and less
# time than the heap while fewer than 300 sleep. The leftist heap, the default on others, serves any number of threads. The calendar
# costs less at worst where a thousand sleep. TIMING shares the processor among the
# threads of a priority, each for a slice of SLICE counts, 1 ms unless said, and says by which timer
# (kernel/thread/slice.h): one_plus_n is the one to take where a cell is free for it; none, the default, has no slices.
# Nor has counting, of AVR: there time-outs are served every SLICE counts, and an interrupt without one only counts.
# With RUN_TIME, hrl_thread_run_time tells how long each thread ran. With GLOBAL_THREADS, on boards of several cores,
# threads may be defined that several cores run (HRL_THREAD_DEFINE_GLOBAL). With GUARD mpu, on
# armv7m, the low ends of the running thread's stack and of the main stack fault when they are touched, and so do NULL's
# first bytes, at the cost of some instructions a switch and of up to 56 bytes of each stack, 511 of the main stack. With
# GUARD stack-limit, on Cortex-M33, a stack pointer that would leave its stack faults in place of what moves it. GUARD_BYTES,
# a power of two, makes that of threads larger than 32 bytes, for functions with frames that would jump over it; it
# takes up to twice as many of each stack, which have to be larger by that. With REPORT halt every fault stops the
# program without a word, which saves 1,100 to 1,700 bytes; full, the default, says what and where (docs/guide/faults.md).
# On boards with a clock that has prescalers, PRESCALER says which it counts by, if not that of [plain].
# With BASIC the application has basic tasks (<hrl/basic.h>): it says HRL_LINES. Sources see HRL_CLOCK_HZ, the clock's
# counts a second; kernel and sources are compiled with HRL_PLAIN_FLAGS, if it is set before. Sources may be C++
# (project(... CXX)): on boards without exceptions, RTTI and libstdc++, and without constructors of static objects,
# which nothing calls. [plain] of the board's board.toml says what cells are used.

get_filename_component(HRL_ROOT ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
include(${HRL_ROOT}/cmake/kernel.cmake)
include(${HRL_ROOT}/cmake/port.cmake)
include(${HRL_ROOT}/cmake/board.cmake)
include(${HRL_ROOT}/cmake/plain_board.cmake)
include(${HRL_ROOT}/cmake/queues.cmake)

# FATAL_ERROR if `arguments` were given to the call for `target` that it does not take.
function(hrl_refuse_unknown call target arguments)
  if(arguments)
    list(JOIN arguments " " arguments)
    message(FATAL_ERROR "horolog: ${call}(${target} ...) takes no ${arguments}; "
      "${HRL_ROOT}/cmake/horolog.cmake says what it takes")
  endif()
endfunction()

# Sets HRL_ARCH, HRL_CONTROLLER, HRL_DEVICES, HRL_FPU, HRL_PRESCALERS and HRL_BOARD_DIRECTORY for hrl_port, of the board.
macro(hrl_plain_port board)
  if(NOT EXISTS ${HRL_ROOT}/boards/${board}/board.toml)
    message(FATAL_ERROR "horolog: there is no board '${board}' in ${HRL_ROOT}/boards")
  endif()
  hrl_plain_board(${board})
  foreach(key IN ITEMS CPU FPU)
    if(NOT "${HRL_${key}}" STREQUAL "${HRL_PLAIN_${key}}")
      message(FATAL_ERROR "horolog: ${board} wants -DHRL_${key}=${HRL_PLAIN_${key}}, "
        "not '${HRL_${key}}', and a toolchain file of ${HRL_ROOT}/cmake/toolchain that takes it")
    endif()
  endforeach()
  foreach(key IN ITEMS ARCH CONTROLLER DEVICES FPU PRESCALERS)
    set(HRL_${key} ${HRL_PLAIN_${key}})
  endforeach()
  set(HRL_BOARD_DIRECTORY ${HRL_ROOT}/boards/${board})
endmacro()

# hrl_plain_system(<target> BOARD <board> PORT <include directories> [<what horolog_application chooses>]
#                  [HZ <counts a second, of a clock other than the board's>] [CORES <n>])
# makes the board's system an object library, compiled with HRL_KERNEL_FLAGS. CORES is for boards on which all cores
# see the same memory: each has a system of its own.
function(hrl_plain_system target)
  cmake_parse_arguments(app "" "BOARD;STORE;TIMING;SLICE;HZ;CORES" "PORT" ${ARGN})
  hrl_refuse_unknown(hrl_plain_system ${target} "${app_UNPARSED_ARGUMENTS}")
  set(plain ${HRL_ROOT}/systems/plain)
  hrl_plain_board(${app_BOARD})
  math(EXPR ms "${HRL_PLAIN_HZ} / 1000")
  foreach(choice IN ITEMS STORE=${HRL_PLAIN_STORE} TIMING=none SLICE=${ms} HZ=${HRL_PLAIN_HZ})
    string(REGEX MATCH "^(.*)=(.*)$" matched ${choice})
    if(NOT app_${CMAKE_MATCH_1})
      set(app_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
    endif()
  endforeach()
  set(timings none counting one_plus_n tick unified unified_ns)
  hrl_queues_without_arrays(${HRL_ROOT} stores)
  foreach(choice IN ITEMS STORE TIMING)
    string(TOLOWER ${choice}s known)
    if(NOT app_${choice} IN_LIST ${known})
      list(JOIN ${known} ", " known)
      message(FATAL_ERROR "horolog: ${choice} is one of ${known}; not '${app_${choice}}'")
    endif()
  endforeach()
  if(app_TIMING STREQUAL one_plus_n AND NOT HRL_PLAIN_SLICES)
    message(FATAL_ERROR "horolog: ${app_BOARD} has no second cell for TIMING one_plus_n; unified needs one")
  endif()
  string(REGEX MATCH "hrlp_own_([a-z_]+)s, 0" own_cell "${HRL_PLAIN_HEADER}")
  set(shared_cell hrlp_shared_${CMAKE_MATCH_1})
  if(HRL_PLAIN_SHARED_CORES AND app_TIMING MATCHES "^unified" AND NOT own_cell)
    message(FATAL_ERROR "horolog: ${app_BOARD} has no cell that all cores share for TIMING ${app_TIMING}; tick needs none")
  endif()
  if(app_TIMING STREQUAL counting)
    if(NOT HRL_PLAIN_ARCH STREQUAL avr OR app_SLICE LESS 8 OR app_SLICE GREATER 32767)
      message(FATAL_ERROR "horolog: TIMING counting is AVR's, and its SLICE is 8 to 32,767 counts, not ${app_SLICE}")
    endif()
  elseif(NOT app_TIMING STREQUAL none AND (app_SLICE LESS 1000 OR app_SLICE GREATER 16777216))
    message(FATAL_ERROR "horolog: a SLICE is 1,000 to 2^24 counts, not ${app_SLICE}")
  endif()
  set(header ${CMAKE_CURRENT_BINARY_DIR}/hrl_plain/${app_BOARD})
  if(HRL_PLAIN_CORES GREATER 1 AND app_TIMING MATCHES "^unified") # all cores share one cell
    string(APPEND header -shared)
    string(REPLACE "${own_cell}" "${shared_cell}, 0" HRL_PLAIN_HEADER
      "#include \"${shared_cell}.h\"\n${HRL_PLAIN_HEADER}")
  endif()
  file(CONFIGURE OUTPUT ${header}/plain_board.h CONTENT "${HRL_PLAIN_HEADER}" @ONLY)
  set(facts PLAIN_STORE=${app_STORE} PLAIN_STORE_HEADER="${app_STORE}.h" PLAIN_TIMING=${app_TIMING}
    PLAIN_SLICE_COUNTS=${app_SLICE}u PLAIN_CLOCK_HZ=${app_HZ}u ${HRL_PLAIN_PRESCALERS})
  if(app_CORES)
    hrl_plain_on_cores(${target})
  else()
    add_library(${target} OBJECT ${plain}/plain.c)
    hrl_plain_compiled(${target} "${facts}")
  endif()
endfunction()

# Compiles an object library of `hrl_plain_system`, whose variables it takes.
macro(hrl_plain_compiled library definitions)
  target_compile_options(${library} PRIVATE ${HRL_KERNEL_FLAGS})
  target_compile_definitions(${library} PRIVATE ${definitions})
  hrl_all_rooms(${HRL_ROOT} ${library})
  target_include_directories(${library} PRIVATE ${plain} ${header} ${app_PORT})
endmacro()

# The object library `target` of the systems of app_CORES cores: plain_on_core.c for each, and plain_cores.c.
macro(hrl_plain_on_cores target)
  set(handlers ${HRL_PLAIN_TIME_HANDLER} ${HRL_PLAIN_CLOCK_HANDLER})
  list(REMOVE_DUPLICATES handlers)
  if(app_TIMING STREQUAL one_plus_n)
    list(APPEND handlers ${HRL_PLAIN_SLICE_HANDLER})
  endif()
  set(objects)
  math(EXPR last "${app_CORES} - 1")
  foreach(core RANGE ${last})
    add_library(${target}_on_${core} OBJECT ${plain}/plain_on_core.c)
    set(own HRLI_CORE_NUMBER=${core})
    foreach(handler IN LISTS handlers)
      list(APPEND own ${handler}=${handler}_on_${core})
    endforeach()
    hrl_plain_compiled(${target}_on_${core} "${facts};${own}")
    list(APPEND objects $<TARGET_OBJECTS:${target}_on_${core}>)
  endforeach()
  list(TRANSFORM handlers PREPEND "PLAIN_HANDLER(")
  list(TRANSFORM handlers APPEND ")")
  list(JOIN handlers " " handlers)
  add_library(${target} STATIC ${plain}/plain_cores.c ${objects})
  hrl_plain_compiled(${target} "${facts};PLAIN_HANDLERS=${handlers}")
endmacro()

function(horolog_application name)
  cmake_parse_arguments(app "RUN_TIME;BASIC;GLOBAL_THREADS" "BOARD;STORE;TIMING;SLICE;GUARD;GUARD_BYTES;REPORT;PRESCALER" "SOURCES" ${ARGN})
  hrl_refuse_unknown(horolog_application ${name} "${app_UNPARSED_ARGUMENTS}")
  if(app_PRESCALER)
    set(HRL_PRESCALER ${app_PRESCALER})
  endif()
  hrl_plain_port(${app_BOARD})
  if(NOT app_STORE)
    set(app_STORE ${HRL_PLAIN_STORE})
  endif()
  set(HRL_GUARD ${app_GUARD})
  if(HRL_GUARD)
    set(guarded)
    if(EXISTS ${HRL_ROOT}/ports/${HRL_ARCH}/${HRL_GUARD}/hrlp_guard_arch.h)
      string(REGEX REPLACE "[+].*" "" cpu "${HRL_CPU}")
      file(STRINGS ${HRL_ROOT}/ports/${HRL_ARCH}/${HRL_CONTROLLER}/port.toml guarded
        REGEX "name = \"${HRL_GUARD}\".*\"${cpu}\"")
    endif()
    if(NOT guarded)
      message(FATAL_ERROR "horolog: ${app_BOARD} has no GUARD '${HRL_GUARD}'")
    endif()
  endif()
  set(HRL_REPORT ${app_REPORT})
  if(NOT app_REPORT)
    set(HRL_REPORT full)
  endif()
  if(NOT HRL_REPORT MATCHES "^(full|halt)$")
    message(FATAL_ERROR "horolog: REPORT is one of full, halt; not '${HRL_REPORT}'")
  endif()
  set(flags -O2 -g -ffunction-sections -fdata-sections ${HRL_PLAIN_FLAGS})
  if(HRL_PLAIN_CORES GREATER 1)
    list(APPEND flags -DHRL_CORES=${HRL_PLAIN_CORES})
  endif()
  set(HRL_KERNEL_FLAGS ${flags} -fno-common "${HRL_PREFIX_MAP}=${HRL_ROOT}=." -Wall -Wextra -Werror)
  if(NOT app_BOARD STREQUAL host)
    list(APPEND HRL_KERNEL_FLAGS -ffreestanding)
  endif()
  if(app_BASIC)
    if(HRL_PLAIN_SHARED_CORES) # whose cores have one table of vectors, and one of their lines
      message(FATAL_ERROR "horolog: BASIC is not for ${app_BOARD}, where all cores share one table of vectors; "
        "it has threads only")
    endif()
    set(basic -DHRL_BASIC_TASKS=1)
    if(HRL_PLAIN_LINE_BASE STREQUAL "")
      list(APPEND basic -DHRL_LINE_SERVERS=1)
    else()
      list(APPEND basic -DHRL_LINE_BASE=${HRL_PLAIN_LINE_BASE})
    endif()
    list(APPEND flags ${basic})
    list(APPEND HRL_KERNEL_FLAGS ${basic})
  endif()
  set(HRL_ONLY_QUEUE)
  if(HRL_PLAIN_ARCH STREQUAL avr) # where memory is short
    hrl_queue_spare_words(${HRL_ROOT} ${app_STORE} words)
    if(words LESS 3)
      set(HRL_ONLY_QUEUE ${app_STORE})
      list(APPEND flags -DHRL_QUEUE_SPARE_WORDS=${words})
      list(APPEND HRL_KERNEL_FLAGS -DHRL_QUEUE_SPARE_WORDS=${words})
    endif()
  endif()
  if(app_GUARD_BYTES)
    if(NOT app_GUARD STREQUAL "mpu")
      message(FATAL_ERROR "horolog: GUARD_BYTES ${app_GUARD_BYTES} is for GUARD mpu; say that, too")
    endif()
    list(APPEND HRL_KERNEL_FLAGS -DHRL_GUARD_BYTES=${app_GUARD_BYTES})
  endif()
  if(app_RUN_TIME)
    list(APPEND flags -DHRL_RUN_TIME=1)
    list(APPEND HRL_KERNEL_FLAGS -DHRL_RUN_TIME=1)
  endif()
  if(app_GLOBAL_THREADS)
    if(NOT HRL_PLAIN_CORES GREATER 1)
      message(FATAL_ERROR "horolog: GLOBAL_THREADS are for boards of several cores; ${app_BOARD} has one")
    endif()
    if(HRL_PLAIN_SHARED_CORES) # compilers keep addresses of what is thread-local, though another core goes on
      message(FATAL_ERROR "horolog: GLOBAL_THREADS are not for ${app_BOARD}, where what a core has is thread-local")
    endif()
    list(APPEND flags -DHRL_GLOBAL_THREADS=1)
    list(APPEND HRL_KERNEL_FLAGS -DHRL_GLOBAL_THREADS=1)
  endif()
  set(own ${name}_hrl) # whose rooms' names are then no application's
  hrl_port(${HRL_ROOT} ${own})
  hrl_kernel(${HRL_ROOT} ${own} ${${own}_port_directories})
  hrl_plain_system(${own}_system BOARD ${app_BOARD} STORE ${app_STORE} TIMING ${app_TIMING}
    SLICE ${app_SLICE} CORES ${HRL_PLAIN_SHARED_CORES} PORT ${${own}_port_directories})

  add_executable(${name} ${app_SOURCES})
  target_compile_options(${name} PRIVATE ${flags})
  if(NOT app_BOARD STREQUAL host)
    # Without the C++ library, which the compilers' packages do not bring; a user that has it may say otherwise.
    target_compile_options(${name} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -fno-rtti -fno-threadsafe-statics>)
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
  endif()
  target_compile_definitions(${name} PRIVATE HRL_CLOCK_HZ=${HRL_PLAIN_HZ}u)
  target_include_directories(${name} PRIVATE ${HRL_ROOT}/include ${${own}_public_directory})
  target_link_libraries(${name} PRIVATE ${own}_system ${own}_start ${own}_port ${own}_kernel)
  if(NOT app_BOARD STREQUAL host)
    hrl_link_for_board(${name} ${HRL_ROOT}/boards/${app_BOARD})
  endif()
  set_target_properties(${name} PROPERTIES SUFFIX .elf)
endfunction()
