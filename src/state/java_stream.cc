// A recursive descent over the grammar, with a bound on its depth. Constants carry the names of
// java.io.ObjectStreamConstants.
#include "state/java_stream.h"

#include <fmt/format.h>

namespace cdc::java {
namespace {

enum Tag : std::uint8_t {
  TC_NULL = 0x70,
  TC_REFERENCE = 0x71,
  TC_CLASSDESC = 0x72,
  TC_OBJECT = 0x73,
  TC_STRING = 0x74,
  TC_ARRAY = 0x75,
  TC_CLASS = 0x76,
  TC_BLOCKDATA = 0x77,
  TC_ENDBLOCKDATA = 0x78,
  TC_BLOCKDATALONG = 0x7A,
  TC_LONGSTRING = 0x7C,
  TC_ENUM = 0x7E,
};
constexpr std::uint8_t SC_WRITE_METHOD = 1, SC_SERIALIZABLE = 2, SC_EXTERNALIZABLE = 4, SC_BLOCK_DATA = 8;
constexpr std::uint32_t kBaseWireHandle = 0x7E0000;
constexpr int kMaxDepth = 64;

std::size_t width_of(char type) {
  switch (type) {
    case 'B':
    case 'Z':
      return 1;
    case 'C':
    case 'S':
      return 2;
    case 'I':
    case 'F':
      return 4;
    case 'J':
    case 'D':
      return 8;
    default:
      return 0;  // an object, or nothing known
  }
}

class Parser {
 public:
  explicit Parser(std::string_view bytes) : bytes_(bytes) { stream_.nodes.emplace_back(); }

  Result<Stream> run() {
    CDC_TRY(const std::uint64_t magic, number(4));
    if (magic != 0xACED0005) return wrong("is no Java object stream");
    while (at_ < bytes_.size()) {
      CDC_TRY(const Index node, content(0));
      stream_.contents.push_back(node);
    }
    return std::move(stream_);
  }

 private:
  struct Handle {
    bool is_class;
    Index index;
  };

  tl::unexpected<Error> wrong(std::string_view what) const {
    return fail(ErrorKind::corrupt, fmt::format("{} at byte {}", what, at_));
  }
  tl::unexpected<Error> cut() const {
    return fail(ErrorKind::corrupt, fmt::format("is cut off at byte {}", bytes_.size()));
  }

  Result<std::string_view> take(std::uint64_t size) {
    if (size > bytes_.size() - at_) return cut();
    const std::string_view out = bytes_.substr(at_, static_cast<std::size_t>(size));
    at_ += out.size();
    return out;
  }
  Result<std::uint64_t> number(std::size_t width) {
    CDC_TRY(const std::string_view raw, take(width));
    std::uint64_t value = 0;
    for (const char c : raw) value = value << 8 | static_cast<unsigned char>(c);
    return value;
  }
  Result<std::uint8_t> tag() {
    CDC_TRY(const std::uint64_t value, number(1));
    return static_cast<std::uint8_t>(value);
  }
  Result<std::string_view> utf() {
    CDC_TRY(const std::uint64_t size, number(2));
    return take(size);
  }

  Index add_node(Node::Kind kind) {
    stream_.nodes.emplace_back().kind = kind;
    return static_cast<Index>(stream_.nodes.size() - 1);
  }
  Node& node(Index index) { return stream_.nodes[index]; }

  Result<Index> content(int depth) {
    CDC_TRY(const std::uint8_t t, tag());
    return content(t, depth);
  }

  Result<Index> content(std::uint8_t t, int depth) {
    if (depth > kMaxDepth) return wrong("nests too deeply");
    switch (t) {
      case TC_NULL:
        return Index{0};
      case TC_REFERENCE:
        return reference();
      case TC_STRING:
        return string(2);
      case TC_LONGSTRING:
        return string(8);
      case TC_ARRAY:
        return array(depth);
      case TC_OBJECT:
        return object(depth);
      case TC_ENUM:
        return enum_constant(depth);
      case TC_CLASS: {
        CDC_TRY(const Index desc, class_desc(depth));
        const Index out = add_node(Node::Kind::class_object);
        node(out).class_desc = desc;
        handles_.push_back({false, out});
        return out;
      }
      default:
        --at_;
        return wrong(fmt::format("has an unexpected tag 0x{:02x}", t));
    }
  }

  Result<Index> reference() {
    CDC_TRY(const std::uint64_t handle, number(4));
    const std::uint64_t index = handle - kBaseWireHandle;
    if (index >= handles_.size() || handles_[index].is_class)
      return wrong("refers to an object that is not there");
    return handles_[index].index;
  }

  Result<Index> string(std::size_t width) {
    const Index out = add_node(Node::Kind::string);
    handles_.push_back({false, out});
    CDC_TRY(const std::uint64_t size, number(width));
    CDC_TRY(const std::string_view text, take(size));
    node(out).bytes = text;
    return out;
  }

  Result<Index> enum_constant(int depth) {
    CDC_TRY(const Index desc, class_desc(depth));
    const Index out = add_node(Node::Kind::enum_constant);
    node(out).class_desc = desc;
    handles_.push_back({false, out});
    CDC_TRY(const Index name, content(depth + 1));
    if (node(name).kind != Node::Kind::string) return wrong("has an enum constant without a name");
    node(out).bytes = node(name).bytes;
    return out;
  }

  // no_class for a null description.
  Result<Index> class_desc(int depth) {
    if (depth > kMaxDepth) return wrong("nests too deeply");
    CDC_TRY(const std::uint8_t t, tag());
    if (t == TC_NULL) return no_class;
    if (t == TC_REFERENCE) {
      CDC_TRY(const std::uint64_t handle, number(4));
      const std::uint64_t index = handle - kBaseWireHandle;
      if (index >= handles_.size() || !handles_[index].is_class)
        return wrong("refers to a class that is not there");
      return handles_[index].index;
    }
    if (t != TC_CLASSDESC) return wrong("has no class description where one is due");
    ClassDesc desc;
    CDC_TRY(const std::string_view name, utf());
    desc.name = name;
    CDC_TRY(desc.serial_version, number(8));
    const auto out = static_cast<Index>(stream_.classes.size());
    stream_.classes.emplace_back();  // the handle counts from here on
    handles_.push_back({true, out});
    CDC_TRY(desc.flags, tag());
    CDC_TRY(const std::uint64_t fields, number(2));
    for (std::uint64_t i = 0; i < fields; ++i) {
      CDC_TRY(FieldType field, field_type(depth));
      desc.fields.push_back(std::move(field));
    }
    std::vector<Annotation> ignored;
    CDC_CHECK(annotations(depth, ignored));
    CDC_TRY(desc.super, class_desc(depth + 1));
    // A class above itself would be an endless chain.
    if (desc.super != no_class && desc.super <= out) {
      if (desc.super == out || !complete(desc.super)) return wrong("has a class that is its own superclass");
    }
    stream_.classes[out] = std::move(desc);
    return out;
  }

  bool complete(Index desc) const { return !stream_.classes[desc].name.empty(); }

  Result<FieldType> field_type(int depth) {
    CDC_TRY(const std::uint8_t type, tag());
    CDC_TRY(const std::string_view name, utf());
    FieldType field{static_cast<char>(type), std::string(name)};
    if (width_of(field.type) != 0) return field;
    if (field.type != 'L' && field.type != '[') return wrong("has a field of an unknown type");
    CDC_TRY(const Index class_name, content(depth + 1));
    if (node(class_name).kind != Node::Kind::string) return wrong("has a field without a class name");
    return field;
  }

  Result<void> annotations(int depth, std::vector<Annotation>& out) {
    for (;;) {
      CDC_TRY(const std::uint8_t t, tag());
      Annotation item;
      switch (t) {
        case TC_ENDBLOCKDATA:
          return {};
        case TC_BLOCKDATA:
        case TC_BLOCKDATALONG: {
          item.is_block = true;
          CDC_TRY(const std::uint64_t size, number(t == TC_BLOCKDATA ? 1 : 4));
          CDC_TRY(item.block, take(size));
          break;
        }
        default: {
          CDC_TRY(item.node, content(t, depth + 1));
        }
      }
      out.push_back(item);
    }
  }

  Result<Index> array(int depth) {
    CDC_TRY(const Index desc, class_desc(depth));
    if (desc == no_class || stream_.classes[desc].name.size() < 2)
      return wrong("has an array without a class");
    const char type = stream_.classes[desc].name[1];
    const std::size_t width = width_of(type);
    const Index out = add_node(width != 0 ? Node::Kind::primitive_array : Node::Kind::object_array);
    node(out).class_desc = desc;
    handles_.push_back({false, out});
    CDC_TRY(const std::uint64_t count, number(4));
    node(out).count = static_cast<std::uint32_t>(count);
    if (width != 0) {
      CDC_TRY(const std::string_view raw, take(count * width));
      node(out).bytes = raw;
      return out;
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      CDC_TRY(const Index element, content(depth + 1));
      node(out).elements.push_back(element);
    }
    return out;
  }

  Result<Index> object(int depth) {
    CDC_TRY(const Index desc, class_desc(depth));
    if (desc == no_class) return wrong("has an object without a class");
    const Index out = add_node(Node::Kind::object);
    node(out).class_desc = desc;
    handles_.push_back({false, out});
    std::vector<Index> chain;  // the most general class is written first
    for (Index c = desc; c != no_class; c = stream_.classes[c].super) {
      if (!complete(c) || chain.size() > stream_.classes.size())
        return wrong("has an object of a class that is not described yet");
      chain.push_back(c);
    }
    for (auto c = chain.rbegin(); c != chain.rend(); ++c) CDC_CHECK(class_data(*c, out, depth));
    return out;
  }

  Result<void> class_data(Index desc, Index out, int depth) {
    const std::uint8_t flags = stream_.classes[desc].flags;
    if ((flags & SC_SERIALIZABLE) != 0) {
      for (std::size_t i = 0; i < stream_.classes[desc].fields.size(); ++i) {
        // A copy: reading an object may add classes and move this one.
        const FieldType field = stream_.classes[desc].fields[i];
        FieldValue value{field.name, field.type, 0, 0};
        if (const std::size_t width = width_of(field.type); width != 0) {
          CDC_TRY(value.bits, number(width));
        } else {
          CDC_TRY(value.node, content(depth + 1));
        }
        node(out).fields.push_back(std::move(value));
      }
      if ((flags & SC_WRITE_METHOD) == 0) return {};
    } else if ((flags & SC_EXTERNALIZABLE) == 0) {
      return {};
    } else if ((flags & SC_BLOCK_DATA) == 0) {
      return wrong("has an object in the old external form");
    }
    std::vector<Annotation> items;
    CDC_CHECK(annotations(depth, items));
    auto& all = node(out).annotations;
    all.insert(all.end(), items.begin(), items.end());
    return {};
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  Stream stream_;
  std::vector<Handle> handles_;
};

}  // namespace

Result<Stream> parse(std::string_view bytes) { return Parser(bytes).run(); }

}  // namespace cdc::java
