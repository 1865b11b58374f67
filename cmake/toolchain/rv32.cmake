# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# RISC-V of 32 bits with the bare-metal GNU compiler and picolibc; HRL_CPU is board.toml's `cpu`. The
# older ISA specification counts the CSR instructions to the base: with _zicsr in the name GCC 12 finds
# no rv32 libraries.

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR riscv32)
set(CMAKE_C_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_CXX_COMPILER riscv64-unknown-elf-g++)
set(CMAKE_ASM_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES HRL_CPU)
set(HRL_MACHINE_FLAGS "-march=${HRL_CPU} -misa-spec=2.2 -mabi=ilp32")
set(CMAKE_C_FLAGS_INIT "${HRL_MACHINE_FLAGS} --specs=picolibc.specs")
set(CMAKE_CXX_FLAGS_INIT "${HRL_MACHINE_FLAGS} --specs=picolibc.specs")
set(CMAKE_ASM_FLAGS_INIT "${HRL_MACHINE_FLAGS}")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-nostartfiles -Wl,--gc-sections")
