// Helpers of the configuration tests: files with a content, and looking for one problem.
#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cdc/config.h"

namespace cdc::test {

// A directory of one test, removed at its end.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "cdc-config-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  std::string write(const std::string& name, std::string_view content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

inline ConfigReport read(ConfigInput input) { return read_config(input); }

inline ConfigReport read_settings(std::vector<std::string> settings) {
  ConfigInput input;
  input.settings = {"topic.prefix=cdc", "database.dbname=golden"};
  input.settings.insert(input.settings.end(), settings.begin(), settings.end());
  return read_config(input);
}

inline std::string all_lines(const ConfigReport& report) {
  std::string out;
  for (const ConfigProblem& problem : report.problems) out += problem_line(problem) + "\n";
  return out;
}

inline std::string errors(const ConfigReport& report) {
  std::string out;
  for (const ConfigProblem& problem : report.problems)
    if (problem.severity == ConfigProblem::Severity::error) out += problem_line(problem) + "\n";
  return out;
}

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace cdc::test
