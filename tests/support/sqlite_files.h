#pragma once

#include <filesystem>
#include <string>

namespace iosx::test {

// Executes the statements on the file, which is made if it is not there, with nothing forbidden and no limits, as other
// programs and attackers do. A failure is a test failure.
void write_database(const std::filesystem::path& file, const std::string& sql);

}  // namespace iosx::test
