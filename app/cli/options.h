#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "core/compare/comparison.h"
#include "core/device/registry.h"

namespace iosx::cli {

// What several commands take. The add_* functions declare options with their checks: a value that does not fit is a
// usage error that says what would.
struct SearchFlags {
  std::size_t r = 3;
  std::size_t s = 8;
  std::string rule = "connected";
  std::string strategy = "both";
  std::size_t max_part_size = 50;

  SearchOptions search_options() const;
};

struct VerifyFlags {
  bool verify = false;
  std::string reference;  // a device; empty: open_reference() chooses
};

void add_graph(CLI::App& command, std::string& graph);
void add_device(CLI::App& command, std::string& device);  // empty: the best one (open_device())
void add_batch(CLI::App& command, std::int64_t& batch);
void add_json(CLI::App& command, bool& json);
// --repeat, --warmup and --min-time, for devices that measure.
void add_timing(CLI::App& command, TimingOptions& timing);
// --verify and --reference.
void add_verify(CLI::App& command, VerifyFlags& flags);
CLI::Option* add_schedules(CLI::App& command, std::vector<std::string>& schedules);
void add_max_part_size(CLI::App& command, std::size_t& size);

// -r, -s, --ending-rule and --max-part-size; then --strategy.
void add_space(CLI::App& command, SearchFlags& flags);
CLI::Option* add_strategy(CLI::App& command, SearchFlags& flags);

// One of these words.
CLI::Validator one_of(const std::vector<std::string>& words);
// A whole number between the two, both included.
CLI::Validator whole_number(std::int64_t low, std::int64_t high, const std::string& what);

}  // namespace iosx::cli
