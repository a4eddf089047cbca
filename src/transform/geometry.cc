// GeometryFormatTransformer and SwapGeometryCoordinates: the bytes inside of geometry columns (CORE-SMT-14).
#include "transform/debezium.h"

#include <fmt/format.h>

#include <algorithm>

#include "json/json_read.h"
#include "json/json_text.h"
#include "transform/hashes.h"
#include "transform/row_rewriter.h"
#include "transform/scalar.h"
#include "transform/schema_build.h"

namespace cdc::transform {
namespace {

constexpr std::uint32_t kZ = 0x80000000u, kM = 0x40000000u, kSrid = 0x20000000u;

bool is_geometry(const Schema& s) {
  return s.type == Type::structure && s.name == "io.debezium.data.geometry.Geometry" &&
         find_field(s, "wkb") != nullptr && find_field(s, "srid") != nullptr;
}

// A walk over (extended) well-known binary that swaps x and y where it finds points.
class Wkb {
 public:
  explicit Wkb(std::string& bytes) : b_(bytes) {}

  // False: the bytes are none; they may be half changed then.
  bool swap() { return geometry(0) && at_ == b_.size(); }

 private:
  bool has(std::size_t n) const { return b_.size() - at_ >= n; }
  std::uint32_t number(bool little) {
    std::uint32_t v = 0;
    for (std::size_t i = 0; i < 4; ++i)
      v |= std::uint32_t{static_cast<unsigned char>(b_[at_ + i])} << (8 * (little ? i : 3 - i));
    at_ += 4;
    return v;
  }
  bool points(std::uint64_t count, std::size_t dimensions) {
    if (count > (b_.size() - at_) / (8 * dimensions)) return false;
    for (; count > 0; --count, at_ += 8 * dimensions)
      std::swap_ranges(b_.begin() + static_cast<std::ptrdiff_t>(at_),
                       b_.begin() + static_cast<std::ptrdiff_t>(at_ + 8),
                       b_.begin() + static_cast<std::ptrdiff_t>(at_ + 8));
    return true;
  }
  bool geometry(int depth) {
    if (depth > 64 || !has(5)) return false;
    const bool little = b_[at_++] == 1;
    const std::uint32_t code = number(little);
    std::uint32_t type = code & 0x1FFFFFFFu;
    std::size_t dimensions = 2 + ((code & kZ) != 0 ? 1 : 0) + ((code & kM) != 0 ? 1 : 0);
    if (type >= 1000 && type < 4000) {  // ISO's way to say Z, M, ZM
      dimensions = type >= 3000 ? 4 : 3;
      type %= 1000;
    }
    if ((code & kSrid) != 0) {
      if (!has(4)) return false;
      at_ += 4;
    }
    switch (type) {
      case 1:
        return points(1, dimensions);
      case 2:  // line string, circular string
      case 8:
        return has(4) && points(number(little), dimensions);
      case 3:  // polygon, triangle
      case 17: {
        if (!has(4)) return false;
        for (std::uint32_t rings = number(little); rings > 0; --rings)
          if (!has(4) || !points(number(little), dimensions)) return false;
        return true;
      }
      case 4:
      case 5:
      case 6:
      case 7:
      case 9:
      case 10:
      case 11:
      case 12:
      case 15:
      case 16: {  // collections
        if (!has(4)) return false;
        for (std::uint32_t parts = number(little); parts > 0; --parts)
          if (!geometry(depth + 1)) return false;
        return true;
      }
      default:
        return false;
    }
  }

  std::string& b_;
  std::size_t at_ = 0;
};

std::string with_wkb(const Schema& column, std::string_view json, const std::string& wkb) {
  Texts texts;
  split_struct(column, json, texts);
  Buffer base64, out;
  json::append_base64(base64, wkb);
  texts[static_cast<std::size_t>(field_index(column, "wkb"))] = base64.view();
  append_struct(out, column, texts, Nulls::keep);
  return std::string(out.view());
}

std::uint32_t type_code(const std::string& wkb) {
  std::uint32_t v = 0;
  for (std::size_t i = 0; i < 4; ++i)
    v |= std::uint32_t{static_cast<unsigned char>(wkb[1 + i])} << (8 * (wkb[0] == 1 ? i : 3 - i));
  return v;
}
void put(std::string& to, std::size_t at, std::uint32_t v, bool little) {
  for (std::size_t i = 0; i < 4; ++i)
    to[at + i] = static_cast<char>((v >> (8 * (little ? i : 3 - i))) & 0xFFu);
}

class SwapGeometry : public RowRewriter {
 protected:
  SchemaPtr changed_schema(const SchemaPtr& column) const override {
    return is_geometry(*column) ? column : nullptr;
  }
  // Without a spatial reference system nobody says which axis is which.
  std::optional<std::string> changed_value(const Schema& column, std::string_view json) const override {
    auto wkb = decode_base64(member(json, "wkb"));
    if (!wkb || is_null(member(json, "srid")) || !Wkb(*wkb).swap()) return std::nullopt;
    return with_wkb(column, json, *wkb);
  }
};

// Well-known binary gets the spatial reference system inside, extended binary loses it.
class GeometryFormat : public RowRewriter {
 public:
  explicit GeometryFormat(std::vector<std::int64_t> srids) : srids_(std::move(srids)) {}

 protected:
  SchemaPtr changed_schema(const SchemaPtr& column) const override {
    return is_geometry(*column) ? column : nullptr;
  }
  std::optional<std::string> changed_value(const Schema& column, std::string_view json) const override {
    auto wkb = decode_base64(member(json, "wkb"));
    if (!wkb || wkb->size() < 9) return std::nullopt;
    const bool little = (*wkb)[0] == 1;
    const std::uint32_t code = type_code(*wkb);
    if ((code & kSrid) != 0) {
      wkb->erase(5, 4);
      put(*wkb, 1, code & ~kSrid, little);
      return with_wkb(column, json, *wkb);
    }
    const auto srid = read_integer(member(json, "srid"));
    if (!srid || (!srids_.empty() && std::find(srids_.begin(), srids_.end(), *srid) == srids_.end()))
      return std::nullopt;
    wkb->insert(5, 4, '\0');
    put(*wkb, 1, code | kSrid, little);
    put(*wkb, 5, static_cast<std::uint32_t>(*srid), little);
    return with_wkb(column, json, *wkb);
  }

 private:
  const std::vector<std::int64_t> srids_;
};

}  // namespace

StepFactory make_swap_geometry(Options&, const StepContext&) {
  return [] { return std::make_unique<SwapGeometry>(); };
}

StepFactory make_geometry_format(Options& options, const StepContext&) {
  std::vector<std::int64_t> srids;
  for (const std::string& item : options.list("srids")) {
    const auto n = read_integer(item);
    if (!n) options.invalid("srids", fmt::format("'{}' is no number", item));
    srids.push_back(n.value_or(0));
  }
  return [srids] { return std::make_unique<GeometryFormat>(srids); };
}

}  // namespace cdc::transform
