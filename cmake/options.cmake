# Warnings, sanitizers and the helper that makes one room.
add_library(cdc_options INTERFACE)
target_compile_options(cdc_options INTERFACE -Wall -Wextra -Werror -Wshadow -Wnon-virtual-dtor
  -Wold-style-cast -Wcast-qual -Wunused -Woverloaded-virtual -Wconversion -Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 sees overlapping copies in plain string concatenation (its bug 105651).
  target_compile_options(cdc_options INTERFACE -Wno-restrict)
  # Nothing of ours is a shared library: a function may be inlined into others of its file, as Clang does.
  target_compile_options(cdc_options INTERFACE -fno-semantic-interposition)
endif()
# Calls of libc from the hot path go without a stub.
target_compile_options(cdc_options INTERFACE -fno-plt)
target_include_directories(cdc_options INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
if(CDC_SANITIZE)
  target_compile_options(cdc_options INTERFACE -fsanitize=${CDC_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(cdc_options INTERFACE -fsanitize=${CDC_SANITIZE})
endif()

# cdc_room(NAME SOURCES... [LINK LIBS...]): static library cdc_NAME.
function(cdc_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;LINK" ${ARGN})
  add_library(cdc_${name} STATIC ${ROOM_SOURCES})
  target_link_libraries(cdc_${name} PUBLIC cdc_options fmt::fmt tl::expected ${ROOM_LINK})
endfunction()
