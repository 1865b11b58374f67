# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# What [build] of system.toml says of the application's sources: HRL_USER_DEFINES, HRL_USER_FLAGS, HRL_USER_WARNINGS,
# HRL_USER_C_STANDARD, HRL_USER_CXX_STANDARD, HRL_USER_LIBRARIES, HRL_USER_OBJECTS; HRL_USER_CXX: some are C++.

if(HRL_USER_CXX)
  enable_language(CXX)
  set(CMAKE_CXX_EXTENSIONS ON)
  if(HRL_USER_CXX_STANDARD)
    set(CMAKE_CXX_STANDARD ${HRL_USER_CXX_STANDARD})
    set(CMAKE_CXX_STANDARD_REQUIRED ON)
  endif()
endif()

# <target>, the bodies: for its sources of the application, not for the generated one.
function(hrl_user_options target)
  if(HRL_USER_C_STANDARD)
    set_target_properties(${target} PROPERTIES C_STANDARD ${HRL_USER_C_STANDARD})
  endif()
  set(by_language $<$<COMPILE_LANGUAGE:C,CXX>:${HRL_USER_WARNINGS}> $<$<COMPILE_LANGUAGE:C,CXX>:${HRL_USER_FLAGS}>)
  if(NOT HRL_ARCH STREQUAL "host") # as C++ of plain applications (cmake/horolog.cmake)
    list(PREPEND by_language $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions;-fno-rtti;-fno-threadsafe-statics>)
  endif()
  set_property(SOURCE ${HRL_USER_SOURCES} APPEND PROPERTY COMPILE_OPTIONS ${by_language})
  set_property(SOURCE ${HRL_USER_SOURCES} APPEND PROPERTY COMPILE_DEFINITIONS ${HRL_USER_DEFINES})
endfunction()

# Behind the bodies, which may call them.
set(HRL_USER_LINKED ${HRL_USER_LIBRARIES} m)
if(HRL_USER_OBJECTS)
  list(PREPEND HRL_USER_LINKED -Wl,--whole-archive ${HRL_USER_OBJECTS} -Wl,--no-whole-archive)
endif()
