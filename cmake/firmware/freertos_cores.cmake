# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# The sides of FreeRTOS for the boards of several cores (baselines/freertos/smp): its SMP kernel, with tasks that belong to
# the cores that the plan chose, or to none. The bodies are the objects of our own firmware.
#
#   hrl_baseline_on_cores(<the side and its generated tasks> <affinity: 0 or 1>)

set(baseline ${HRL_ROOT}/baselines/freertos)
set(freertos_port ${HRL_FREERTOS}/portable/GCC/RISC-V)

function(hrl_baseline_on_cores name affinity)
  set(smp ${baseline}/smp)
  add_executable(${name} ${smp}/main.c ${baseline}/delay_until.c ${HRL_GENERATED}/hrl_gen_${name}.c
    ${smp}/port_cores.c ${smp}/port_watched.S ${smp}/start.S ${arch}/idle.S
    ${HRL_FREERTOS}/tasks.c ${HRL_FREERTOS}/list.c)
  target_compile_options(${name} PRIVATE ${HRL_COMMON_FLAGS}
    "${HRL_PREFIX_MAP}=${HRL_FREERTOS}=freertos")
  target_compile_definitions(${name} PRIVATE HRL_AFFINITY=${affinity})
  target_include_directories(${name} PRIVATE ${smp} ${baseline} ${HRL_GENERATED}
    ${HRL_FREERTOS}/include ${freertos_port}
    ${freertos_port}/chip_specific_extensions/RISCV_MTIME_CLINT_no_extensions)
  target_link_libraries(${name} PRIVATE -Wl,--whole-archive hrl_bodies -Wl,--no-whole-archive ${HRL_USER_LINKED})
  hrl_link_for_board(${name} ${HRL_BOARD_DIRECTORY} ${smp}/link.ld)
  set_target_properties(${name} PROPERTIES SUFFIX .elf)
endfunction()

foreach(side IN LISTS HRL_BASELINES)
  if(side STREQUAL "freertos_any_core")
    hrl_baseline_on_cores(${side} 0)
  else()
    hrl_baseline_on_cores(${side} 1)
  endif()
endforeach()
