#pragma once

#include <CLI/CLI.hpp>

#include "app/cli/session.h"

namespace iosx::cli {

// Each declares its commands and their options; parsing one of them sets `chosen`.
void add_list_commands(CLI::App& app, Command& chosen);  // devices, networks
void add_inspect(CLI::App& app, Command& chosen);
void add_count(CLI::App& app, Command& chosen);
void add_optimize(CLI::App& app, Command& chosen);
void add_compare(CLI::App& app, Command& chosen);
void add_run(CLI::App& app, Command& chosen);
void add_convert(CLI::App& app, Command& chosen);
void add_validate(CLI::App& app, Command& chosen);

}  // namespace iosx::cli
