#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/cli/command_line.h"
#include "core/documents/exports/exports.h"

namespace iosx::cli {

// Returns the formats of a schedule alone.
std::vector<const ExportFormat*> schedule_formats();

// Declares --format, one of these; without it the output's suffix decides (export_format_of()).
void add_format(Command& command, std::string& format, std::span<const ExportFormat* const> formats);

}  // namespace iosx::cli
