# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# Armv7-M with the bare-metal GNU compiler; HRL_CPU is board.toml's `cpu`, HRL_FPU its `fpu`
# or empty.

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
set(CMAKE_ASM_COMPILER arm-none-eabi-gcc)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES HRL_CPU HRL_FPU)
set(HRL_MACHINE_FLAGS "-mcpu=${HRL_CPU} -mthumb")
if(HRL_FPU)
  string(APPEND HRL_MACHINE_FLAGS " -mfloat-abi=hard -mfpu=${HRL_FPU}")
endif()
set(CMAKE_C_FLAGS_INIT "${HRL_MACHINE_FLAGS}")
set(CMAKE_CXX_FLAGS_INIT "${HRL_MACHINE_FLAGS}")
set(CMAKE_ASM_FLAGS_INIT "${HRL_MACHINE_FLAGS}")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-nostartfiles -Wl,--gc-sections")
