// Signals as texts, the signal file, keys as texts.
#include "signals/signal.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "signals/key_text.h"
#include "signals/signal_file.h"
#include "signals/window_buffer.h"

using namespace cdc;

namespace {

struct File {
  File() {
    std::string pattern = (std::filesystem::temp_directory_path() / "cdc-signals-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    folder = pattern;
    path = (folder / "signals").string();
  }
  ~File() { std::filesystem::remove_all(folder); }
  std::filesystem::path folder;
  std::string path;
};

}  // namespace

TEST_CASE("CORE-SIG-05: lines of the file channel") {
  const auto good = parse_signal_line(
      R"({"id":"1","type":"log","data":{"message":"x"},"additionalData":{},"channelOffset":7})");
  REQUIRE(good);
  CHECK(good->id == "1");
  CHECK(good->data == R"({"message":"x"})");
  CHECK(parse_signal_line(signal_line(*good))->data == good->data);
  for (const char* bad : {"", "not json", "[]", R"({"id":"1","data":{}})", R"({"id":"1","type":"log"})",
                          R"({"type":"log","data":"text"})", R"({"type":7,"data":{}})"})
    CHECK_FALSE(parse_signal_line(bad));
}

TEST_CASE("CORE-SIG-07: orders") {
  const auto order = parse_snapshot_order(
      SignalType::execute_snapshot,
      R"({"type":" Blocking ","data-collections":[" public.a "],"surrogate-key":"k","additional-condition":"x"})");
  REQUIRE(order);
  CHECK(order->kind == SnapshotKind::blocking);
  CHECK(order->collections == std::vector<std::string>{"public.a"});
  CHECK(order->surrogate_key == "k");
  CHECK(order->old_condition);
  CHECK(parse_snapshot_order(SignalType::stop_snapshot, "{}"));
  for (const char* bad :
       {"{}", "7", R"({"data-collections":[]})", R"({"data-collections":"public.a"})",
        R"({"data-collections":[""]})", R"({"data-collections":["a"],"additional-conditions":[{}]})",
        R"({"data-collections":["a"],"additional-conditions":{}})",
        R"({"data-collections":["a"],"surrogate-key":[]})"})
    CHECK_FALSE(parse_snapshot_order(SignalType::execute_snapshot, bad));
  CHECK(check_signal({"", "log", R"({"message":"x"})"}));
  CHECK_FALSE(check_signal({"", "log", "{}"}));
  CHECK_FALSE(check_signal({"", "snapshot-window-open", "{}"}));
  CHECK(check_signal({"", "executesnapshot", "{}"}).error().hint.find("execute-snapshot") !=
        std::string::npos);
}

TEST_CASE("CORE-SIG-05: the file is emptied by who reads it, and two writers lose nothing") {
  const File file;
  CHECK(take_signals(file.path).value() == "");
  std::ofstream(file.path) << "left without its end";
  REQUIRE(add_signal(file.path, "a"));
  CHECK(take_signals(file.path).value() == "left without its end\na\n");
  CHECK(std::filesystem::file_size(file.path) == 0);
  constexpr int kLines = 300;
  const auto write = [&](char name) {
    for (int i = 0; i < kLines; ++i) CHECK(add_signal(file.path, std::string(1, name)));
  };
  std::thread one(write, '1'), two(write, '2');
  std::string all;
  while (std::count(all.begin(), all.end(), '\n') < 2 * kLines) all += take_signals(file.path).value();
  one.join();
  two.join();
  CHECK(std::count(all.begin(), all.end(), '1') == kLines);
}

TEST_CASE("CORE-OFF-08, PG-INC-08: keys as JSON and as text") {
  const ChunkKey key{{"int32", "5"}, {"string", "it's \"x\""}, {"string", std::nullopt}, {"boolean", "true"}};
  const std::string json = key_json(key);
  CHECK(
      json ==
      R"([{"t":"int32","v":5},{"t":"string","v":"it's \"x\""},{"t":"string","v":null},{"t":"boolean","v":true}])");
  CHECK(parse_key_json(json) == key);
  CHECK(key_display(key) == "5,it's \"x\",<null>,true");
  for (const char* bad : {"", "{}", "[1]", R"("aced")", R"([{"t":1}])", R"([{"t":"int32","v":"x"}])"})
    CHECK_FALSE(parse_key_json(bad));
}

TEST_CASE("CORE-INC-21: equal message keys collapse into the newest row, in the place of the first") {
  WindowBuffer window;
  const auto put = [&](const char* text, const char* identity, bool unique) {
    window.next().row.text.append(text);
    window.keep(identity, unique);
  };
  const auto all = [&] {
    std::string text;
    REQUIRE(window.for_each([&](const WindowBuffer::Row& row) -> Result<void> {
      text += row.row.text.view();
      return {};
    }));
    return text;
  };
  put("a", "1", true);
  put("b", "2", true);
  put("c", "1", true);
  CHECK(all() == "cb");
  window.drop("1");
  window.drop("1");
  CHECK(all() == "b");
  CHECK(window.size() == 1);
  window.clear();
  CHECK(window.empty());
  put("x", "1", false);
  put("y", "1", false);
  CHECK(all() == "xy");
  window.drop("1");
  CHECK(window.empty());
}
