// The two ways a value becomes text: JSON as Connect's converter writes it, or a CloudEvent.
#pragma once

#include "cdc/config.h"
#include "event/event.h"

namespace cdc {

class ValueText {
 public:
  virtual ~ValueText() = default;
  // Appends the JSON text of the event's value; `null` when there is none to print.
  virtual void append(Buffer& out, const Event& event) = 0;
};

std::unique_ptr<ValueText> json_value_text(bool schemas);
std::unique_ptr<ValueText> cloudevents_value_text(const Config& config);

// {"schema":S,"payload":P} or P alone; null without schema when there is no payload.
void append_document(Buffer& out, bool schemas, std::string_view schema, std::string_view payload);

}  // namespace cdc
