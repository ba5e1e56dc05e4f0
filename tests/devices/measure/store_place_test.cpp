#include "core/devices/measure/store_place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace iosx {
namespace {

using ::testing::HasSubstr;

TEST(StorePlace, IsWhereTheUserKeepsData) {
  const char* const old_data = std::getenv("XDG_DATA_HOME");
  const char* const old_home = std::getenv("HOME");
  const std::string data = old_data == nullptr ? "" : old_data;
  const std::string home = old_home == nullptr ? "" : old_home;
  setenv("HOME", "/somewhere", 1);
  setenv("XDG_DATA_HOME", "/data", 1);
  EXPECT_EQ(default_store_file().value(), "/data/ios-explorer/measurements.db");
  setenv("XDG_DATA_HOME", "relative", 1);  // the specification says to ignore it
  EXPECT_EQ(default_store_file().value(), "/somewhere/.local/share/ios-explorer/measurements.db");
  unsetenv("XDG_DATA_HOME");
  EXPECT_EQ(default_store_file().value(), "/somewhere/.local/share/ios-explorer/measurements.db");
  unsetenv("HOME");
  EXPECT_THAT(default_store_file().error().text(), HasSubstr("HOME"));
  if (old_data != nullptr) setenv("XDG_DATA_HOME", data.c_str(), 1);
  if (old_home != nullptr) setenv("HOME", home.c_str(), 1);
}

}  // namespace
}  // namespace iosx
