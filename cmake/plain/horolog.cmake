# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# The kernel for CMake projects that do without the tool: no Python, nothing generated, no periodic threads
# from a description; threads, sleeps and the services. In a project that was configured with
# -DCMAKE_TOOLCHAIN_FILE=<root>/cmake/toolchain/armv7m.cmake -DHRL_CPU=cortex-m3:
#
#   include(<root>/cmake/plain/horolog.cmake)
#   horolog_application(<name> BOARD mps2-an385 SOURCES main.c ...)
#
# makes <name>.elf. `main` starts threads and calls hrl_start. The board's system, which says what clock and
# cells are used, is <board>.c beside this file; copy it to use others.

get_filename_component(HRL_ROOT ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)
include(${HRL_ROOT}/cmake/kernel.cmake)
include(${HRL_ROOT}/cmake/port.cmake)

set(HRL_PLAIN_mps2-an385_ARCH armv7m)
set(HRL_PLAIN_mps2-an385_DEVICES cmsdk-dualtimer cmsdk-timer)

function(horolog_application name)
  cmake_parse_arguments(app "" "BOARD" "SOURCES" ${ARGN})
  set(HRL_ARCH ${HRL_PLAIN_${app_BOARD}_ARCH})
  set(HRL_DEVICES ${HRL_PLAIN_${app_BOARD}_DEVICES})
  set(HRL_FPU ${HRL_PLAIN_${app_BOARD}_FPU})
  set(HRL_KERNEL_FLAGS -O2 -g -ffreestanding -ffunction-sections -fdata-sections -fno-common
    "-ffile-prefix-map=${HRL_ROOT}=." -Wall -Wextra -Werror ${HRL_PLAIN_FLAGS})
  hrl_port(${HRL_ROOT} ${name})
  hrl_kernel(${HRL_ROOT} ${name} ${${name}_port_directories})

  add_library(${name}_system OBJECT ${HRL_ROOT}/cmake/plain/${app_BOARD}.c)
  target_compile_options(${name}_system PRIVATE ${HRL_KERNEL_FLAGS})
  hrl_all_rooms(${HRL_ROOT} ${name}_system)
  target_include_directories(${name}_system PRIVATE ${${name}_port_directories})

  add_executable(${name} ${app_SOURCES})
  target_compile_options(${name} PRIVATE -O2 -g -ffunction-sections -fdata-sections)
  target_include_directories(${name} PRIVATE ${HRL_ROOT}/include)
  target_link_libraries(${name} PRIVATE ${name}_system ${name}_start ${name}_port ${name}_kernel)
  target_link_options(${name} PRIVATE -T ${HRL_ROOT}/boards/${app_BOARD}/link.ld
    -Wl,--no-warn-rwx-segments)
  set_target_properties(${name} PROPERTIES SUFFIX .elf)
endfunction()
