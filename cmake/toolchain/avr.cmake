# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# 8-bit AVR with GNU's compiler and avr-libc; HRL_CPU is board.toml's `cpu`, as the compiler names it.

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR avr)
set(CMAKE_C_COMPILER avr-gcc)
set(CMAKE_CXX_COMPILER avr-g++)
set(CMAKE_ASM_COMPILER avr-gcc)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES HRL_CPU)
set(HRL_MACHINE_FLAGS "-mmcu=${HRL_CPU}")
# Without -mstrict-X the compiler takes X for pointers to structures, of which X addresses the first field only.
# With induction variables of its own the compiler forgets that a pointer leads to flash, and loads from RAM (a harmonic
# array in a loop, avr-gcc 5.4).
set(CMAKE_C_FLAGS_INIT "${HRL_MACHINE_FLAGS} -mstrict-X -fno-ivopts")
set(CMAKE_CXX_FLAGS_INIT "${HRL_MACHINE_FLAGS} -mstrict-X -fno-ivopts")
set(CMAKE_ASM_FLAGS_INIT "${HRL_MACHINE_FLAGS}")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-nostartfiles -Wl,--gc-sections")

# The option by which names of files in an image do not depend on where the sources are; this compiler is older than
# -ffile-prefix-map.
set(HRL_PREFIX_MAP -fdebug-prefix-map)
