# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# CMAKE_PROJECT_INCLUDE_BEFORE of the firmware's build: what CMake found out about the same compilers before, so that it need
# not compile its trials again. HRL_COMPILERS is a folder of files that CMake wrote, CMake<language>Compiler.cmake, and may
# not be there; src/horolog/build/compiled.py names it by what identifies CMake, the compilers and their flags.

foreach(language IN ITEMS C ASM)
  include("${HRL_COMPILERS}/CMake${language}Compiler.cmake" OPTIONAL)
endforeach()
