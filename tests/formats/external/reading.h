#pragma once

#include "core/formats/external/read_external.h"
#include "tests/support/prelude.h"

namespace iosx::test {

inline std::vector<ExternalRun> read_all(std::string_view text, const ExternalOptions& options = {}) {
  return must(read_external_text(text, "folder/times.txt", "times", options));
}

inline ExternalRun read_one(std::string_view text, const ExternalOptions& options = {}) {
  auto runs = read_all(text, options);
  EXPECT_EQ(runs.size(), 1U);
  return runs.size() == 1 ? std::move(runs.front()) : ExternalRun{};
}

// Returns the error's one line; empty, and a test failure, without one.
inline std::string refusal(std::string_view text, const ExternalOptions& options = {}) {
  const auto runs = read_external_text(text, "times.txt", "times", options);
  EXPECT_FALSE(runs);
  const std::string line = runs ? std::string() : runs.error().text();
  EXPECT_EQ(line.find('\n'), std::string::npos);
  return line;
}

inline std::vector<std::string> names_of(const ExternalRun& run) {
  return mapped<std::string>(run.entries, &ExternalEntry::name);
}

}  // namespace iosx::test
