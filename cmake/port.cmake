# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# A board's port as object libraries, for whatever firmware is built on it.
#
#   hrl_port(<root> <prefix>)
#
# takes HRL_ARCH (a folder of ports/), HRL_DEVICES (folders of ports/cell/), HRL_FPU (empty: none) and HRL_KERNEL_FLAGS;
# HRL_CONTROLLER, the interrupt controller, a folder of ports/<arch>/ with a port.toml: unless it is set, the one that
# says `usual = true` there. That folder may have another in it, threads, for the switch. `family` of port.toml is a
# folder of ports/ with what several processors share. A folder `port` of HRL_BOARD_DIRECTORY, if there is one, has
# headers that go before those of ports/, and what the chip's boot needs in assembly. HRL_GUARD, if it is set, is the
# folder of ports/<arch>/ with the guard for stacks to take (hrlp_guard.h); with HRL_OWN_VECTORS the application has the
# vector table and the reset handler, and start-up is what the family's folder own-vectors has; HRL_REPORT is what a
# fault ends in, `full`, the report of ports/report, unless it is set to `halt`; with HRL_WITHOUT_THREADS, for systems
# of basic tasks only, nothing switches; HRL_PRESCALERS, definitions such as HRL_BOARD_CLOCK_PRESCALER=64, by what the
# timers of a board with prescalers count, and HRL_BOARD_GPTM_RELOAD_COUNTS=0, of timers of which board.toml says what a
# reload takes (hrl_kernel takes it, too); and defines
#
#   <prefix>_start             reset, faults, console, idle loop: the same under every kernel
#   <prefix>_port              the processor as the kernel sees it (cpu.c, switch*, vectors*), and the devices
#   <prefix>_yield             where the port has it (yield*): linked only if a thread yields
#   <prefix>_work_source       work.S, the body of tasks with `work = N`, which belongs to bodies and to neither
#   <prefix>_port_directories  the include directories of the whole port: the processor's first
#   <prefix>_public_directory  the one of them that belongs on the path of applications: what <hrl/interrupt.h> inlines

# By the toolchain file, if its compiler is too old for this option.
if(NOT HRL_PREFIX_MAP)
  set(HRL_PREFIX_MAP -ffile-prefix-map)
endif()

function(hrl_port root prefix)
  set(arch ${root}/ports/${HRL_ARCH})
  set(devices ${HRL_DEVICES})
  list(TRANSFORM devices PREPEND ${root}/ports/cell/)

  set(homes ${arch})
  file(GLOB described ${arch}/*/port.toml)
  foreach(file IN LISTS described)
    file(STRINGS ${file} usual REGEX "^usual = true")
    get_filename_component(folder ${file} DIRECTORY)
    if(usual AND NOT HRL_CONTROLLER)
      get_filename_component(HRL_CONTROLLER ${folder} NAME)
    endif()
  endforeach()
  if(NOT EXISTS ${arch}/${HRL_CONTROLLER}/port.toml)
    message(FATAL_ERROR "horolog: there is no port '${HRL_ARCH}/${HRL_CONTROLLER}' in ${root}/ports")
  endif()
  list(APPEND homes ${arch}/${HRL_CONTROLLER})
  if(EXISTS ${arch}/${HRL_CONTROLLER}/threads)
    list(APPEND homes ${arch}/${HRL_CONTROLLER}/threads)
  endif()
  file(STRINGS ${arch}/${HRL_CONTROLLER}/port.toml family REGEX "^family = ")
  if(family)
    string(REGEX REPLACE "^family = \"(.*)\".*$" "\\1" family "${family}")
    list(APPEND homes ${root}/ports/${family})
  endif()
  # Where boards print by the emulator's or debugger's help.
  set(start_sources)
  foreach(home IN LISTS homes)
    file(GLOB found CONFIGURE_DEPENDS ${home}/semihosting/*.c)
    list(APPEND start_sources ${found})
  endforeach()
  set(switch_sources)
  set(vector_sources)
  foreach(home IN LISTS homes)
    file(GLOB found CONFIGURE_DEPENDS ${home}/*.c ${home}/*.S)
    list(APPEND start_sources ${found})
    file(GLOB found CONFIGURE_DEPENDS ${home}/switch*)
    list(APPEND switch_sources ${found})
    file(GLOB found CONFIGURE_DEPENDS ${home}/vectors*)
    list(APPEND vector_sources ${found})
  endforeach()
  if(HRL_REPORT STREQUAL "halt")
    file(GLOB fault_sources CONFIGURE_DEPENDS ${arch}/fault*)
    list(REMOVE_ITEM start_sources ${fault_sources})
    file(GLOB halt_sources CONFIGURE_DEPENDS ${arch}/halt/*.S)
    list(APPEND start_sources ${root}/ports/report/halt.c ${halt_sources})
  else()
    list(APPEND start_sources ${root}/ports/report/report.c)
  endif()
  list(APPEND start_sources ${root}/ports/report/console.c)
  if(HRL_OWN_VECTORS)
    list(FILTER start_sources EXCLUDE REGEX "/startup\\.c$")
    file(GLOB found CONFIGURE_DEPENDS ${root}/ports/${family}/own-vectors/*.c)
    list(APPEND start_sources ${found})
  endif()
  file(GLOB yield_sources CONFIGURE_DEPENDS ${arch}/yield*)
  set(cpu_source ${start_sources})
  list(FILTER cpu_source INCLUDE REGEX "/cpu\\.c$")
  set(work_source ${start_sources})
  list(FILTER work_source INCLUDE REGEX "/work\\.S$")
  list(REMOVE_ITEM start_sources
    ${cpu_source} ${work_source} ${switch_sources} ${vector_sources} ${yield_sources})
  # A processor with a floating-point unit has its own form of the switch, where the port knows one.
  foreach(sources IN ITEMS switch_sources yield_sources)
    list(FILTER ${sources} EXCLUDE REGEX "_fpu\\.[cS]$")
    if(HRL_FPU)
      string(REGEX REPLACE "\\.([cS])$" "_fpu.\\1" ${sources} "${${sources}}")
    endif()
  endforeach()
  if(HRL_WITHOUT_THREADS)
    set(switch_sources)
    set(yield_sources)
  endif()
  # Of the controller, or the same for all controllers.
  set(public ${arch}/${HRL_CONTROLLER}/public)
  if(NOT EXISTS ${public})
    set(public ${arch}/public)
  endif()
  set(directories ${homes} ${public} ${devices})
  if(HRL_BOARD_DIRECTORY AND IS_DIRECTORY ${HRL_BOARD_DIRECTORY}/port) # what the board says of its chip
    list(PREPEND directories ${HRL_BOARD_DIRECTORY}/port)
    file(GLOB found CONFIGURE_DEPENDS ${HRL_BOARD_DIRECTORY}/port/*.S)
    list(APPEND start_sources ${found})
  endif()
  if(HRL_GUARD)
    list(PREPEND directories ${arch}/${HRL_GUARD})
  endif()
  if(HRL_TRACE)
    list(PREPEND directories ${arch}/trace)
    file(GLOB found CONFIGURE_DEPENDS ${arch}/trace/*.S ${arch}/trace/*.c)
    if(family AND EXISTS ${root}/ports/${family}/trace)
      list(APPEND directories ${root}/ports/${family}/trace)
      file(GLOB of_family CONFIGURE_DEPENDS ${root}/ports/${family}/trace/*.S)
      list(APPEND found ${of_family})
    endif()
    list(APPEND start_sources ${found})
  endif()
  set(device_sources)
  foreach(device IN LISTS devices)
    file(GLOB found CONFIGURE_DEPENDS ${device}/*.c)
    list(APPEND device_sources ${found})
    file(GLOB found CONFIGURE_DEPENDS ${device}/*.S) # what the boot of a chip with that device needs
    list(APPEND start_sources ${found})
  endforeach()

  add_library(${prefix}_start OBJECT ${start_sources})
  add_library(${prefix}_port OBJECT ${cpu_source} ${vector_sources} ${switch_sources} ${device_sources})
  set(targets ${prefix}_start ${prefix}_port)
  if(yield_sources)
    add_library(${prefix}_yield STATIC ${yield_sources})
    target_link_libraries(${prefix}_port INTERFACE ${prefix}_yield)
    list(APPEND targets ${prefix}_yield)
  endif()
  foreach(target IN LISTS targets)
    target_compile_options(${target} PRIVATE ${HRL_KERNEL_FLAGS})
    target_compile_definitions(${target} PRIVATE ${HRL_PRESCALERS})
    target_include_directories(${target} PRIVATE
      ${root}/include ${root}/ports/include ${directories})
  endforeach()
  set(${prefix}_work_source ${work_source} PARENT_SCOPE)
  set(${prefix}_port_directories ${directories} PARENT_SCOPE)
  set(${prefix}_public_directory ${public} PARENT_SCOPE)
endfunction()
