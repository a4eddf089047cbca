// Looking transforms up by name.
#include "transform/transform.h"

#include "text/list.h"

namespace cdc::transform {

std::string_view short_class_name(std::string_view class_name) {
  const std::size_t dot = class_name.rfind('.');
  return dot == std::string_view::npos ? class_name : class_name.substr(dot + 1);
}

const TransformRow* find_transform(std::string_view name) {
  // Connect's first: the short name Filter is its own; Debezium's goes by its whole name.
  for (const bool whole : {true, false})
    for (const auto& rows : {connect_transforms(), debezium_transforms()})
      for (const TransformRow& row : rows)
        if (whole ? row.class_name == name : text::equals_ignore_case(short_class_name(row.class_name), name))
          return &row;
  return nullptr;
}

std::string known_transforms() {
  std::string out;
  for (const auto& rows : {debezium_transforms(), connect_transforms()})
    for (const TransformRow& row : rows) {
      if (!out.empty()) out += ", ";
      out += short_class_name(row.class_name);
    }
  return out;
}

}  // namespace cdc::transform
