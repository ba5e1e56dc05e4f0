#pragma once

// Includes what almost every test uses.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <ostream>
#include <random>
#include <set>
#include <span>
#include <sstream>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "tests/support/must.h"
#include "tests/support/sanitized.h"

namespace iosx {

using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::DoubleNear;
using testing::Each;
using testing::ElementsAre;
using testing::EndsWith;
using testing::FloatNear;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::Pointwise;
using testing::SizeIs;
using testing::StartsWith;
using testing::UnorderedElementsAre;

// Returns the token of a job that was asked to stop.
inline std::stop_token stopped_token() {
  std::stop_source source;
  source.request_stop();
  return source.get_token();
}

// Returns what the function, or member, gives for each of them, in their order.
template <typename Element, typename Range, typename Function>
std::vector<Element> mapped(Range&& range, const Function& function) {
  std::vector<Element> made;
  for (auto&& each : range) made.push_back(std::invoke(function, each));
  return made;
}

}  // namespace iosx
