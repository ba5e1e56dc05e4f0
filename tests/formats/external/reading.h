#pragma once

#include <gmock/gmock.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/formats/external/read_foreign.h"

namespace iosx::test {

inline std::vector<ForeignRun> read_all(std::string_view text, const ForeignOptions& options = {}) {
  auto runs = read_foreign_text(text, "folder/times.txt", "times", options);
  EXPECT_TRUE(runs) << runs.error().text();
  return runs ? std::move(*runs) : std::vector<ForeignRun>{};
}

inline ForeignRun read_one(std::string_view text, const ForeignOptions& options = {}) {
  auto runs = read_all(text, options);
  EXPECT_EQ(runs.size(), 1U);
  return runs.size() == 1 ? std::move(runs.front()) : ForeignRun{};
}

// The error's one line; empty, and a failure, where there is none.
inline std::string refusal(std::string_view text, const ForeignOptions& options = {}) {
  const auto runs = read_foreign_text(text, "times.txt", "times", options);
  EXPECT_FALSE(runs);
  const std::string line = runs ? std::string() : runs.error().text();
  EXPECT_EQ(line.find('\n'), std::string::npos);
  return line;
}

inline std::vector<std::string> names_of(const ForeignRun& run) {
  std::vector<std::string> names;
  for (const ForeignEntry& entry : run.entries) names.push_back(entry.name);
  return names;
}

}  // namespace iosx::test
