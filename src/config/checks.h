// Named checks for values whose form a kind alone does not tell. Each says what is wrong, in words
// that follow "The 'x' value is invalid: "; empty when the value is fine.
#pragma once

#include <string>
#include <string_view>

namespace cdc::config::check {

std::string topic_characters(std::string_view value);  // CORE-NAME-01
std::string topic_characters_or_empty(std::string_view value);
std::string slot_name(std::string_view value);           // PG-SLOT-01
std::string key_columns(std::string_view value);         // CORE-KEY-02
std::string replica_identities(std::string_view value);  // PG-RI-03
std::string skipped_operations(std::string_view value);  // CORE-DSP-02
std::string placeholder(std::string_view value);         // text or hex:...
std::string metric_tags(std::string_view value);         // k=v,k=v
std::string hash_algorithm(std::string_view algorithm);  // of column.mask.hash: the part of the name
std::string not_empty(std::string_view value);

}  // namespace cdc::config::check
