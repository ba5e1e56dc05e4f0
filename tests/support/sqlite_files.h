#pragma once

#include <filesystem>
#include <string>

namespace iosx::test {

// Executes the statements on the file, made if missing, without any protection or limits, like other programs and
// attackers. An error is a test failure.
void write_database(const std::filesystem::path& file, const std::string& sql);

}  // namespace iosx::test
