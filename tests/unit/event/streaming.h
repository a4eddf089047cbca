// A stream of changes into a Room, its source block and its position made by hand.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "event/stream_events.h"
#include "support.h"

namespace cdc::test {

struct Streaming : Room {
  explicit Streaming(std::initializer_list<std::pair<std::string_view, std::string_view>> properties = {},
                     const std::string& stored_offset = "")
      : Room(properties), events(StreamEvents::make(*room, stored_offset).value()) {
    events->set_source_block(&block);
    events->set_position_writer(&position);
  }
  Result<void> push(const TableHandle& table, Op op, std::vector<Cell> before, std::vector<Cell> after,
                    bool before_is_whole = false) {
    return events->row({table.get(), op, before, after, before_is_whole});
  }
  std::string out() {
    REQUIRE(events->flush(true));
    return lines();
  }
  PlainBlock block;
  FixedPosition position;
  std::unique_ptr<StreamEvents> events;
};

}  // namespace cdc::test
