// Reading Java's object serialization stream (protocol version 2): classes, objects, arrays, strings,
// handles. Knows the grammar, not the classes; total over all bytes. Names are those of Java's specification.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cdc/error.h"

namespace cdc::java {

using Index = std::uint32_t;  // of a node or class of one Stream

struct FieldType {
  char type = 'L';  // B C D F I J S Z, or L [ for objects
  std::string name;
};

struct ClassDesc {
  std::string name;  // "java.util.HashMap", "[B"
  std::uint64_t serial_version = 0;
  std::uint8_t flags = 0;
  std::vector<FieldType> fields;
  Index super = 0;  // no_class: none
};
inline constexpr Index no_class = 0xFFFFFFFF;

struct FieldValue {
  std::string name;
  char type = 'L';
  std::uint64_t bits = 0;  // of a primitive, sign not extended
  Index node = 0;          // of an object
};

// What a class's own writeObject() put behind the fields: raw bytes or objects, in order.
struct Annotation {
  bool is_block = false;
  std::string_view block;
  Index node = 0;
};

struct Node {
  enum class Kind : std::uint8_t {
    null,
    string,
    primitive_array,
    object_array,
    object,
    enum_constant,
    class_object
  };
  Kind kind = Kind::null;
  Index class_desc = no_class;
  std::string_view bytes;          // text (modified UTF-8) or the elements of a primitive array, big endian
  std::uint32_t count = 0;         // elements of an array
  std::vector<Index> elements;     // of an object array
  std::vector<FieldValue> fields;  // superclass first
  std::vector<Annotation> annotations;
};

struct Stream {
  std::vector<Node> nodes;  // nodes[0] is null
  std::vector<ClassDesc> classes;
  std::vector<Index> contents;  // top-level objects
};

// Views point into `bytes`. Kind corrupt; messages say at which byte.
Result<Stream> parse(std::string_view bytes);

}  // namespace cdc::java
