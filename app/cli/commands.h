#pragma once

#include "app/cli/command_line.h"

namespace iosx::cli {

// Each declares its commands, their options and what they run.
void add_list_commands(Command& program);  // devices, networks
void add_inspect(Command& program);
void add_count(Command& program);
void add_optimize(Command& program);
void add_improve(Command& program);
void add_compare(Command& program);
void add_explain(Command& program);
void add_diff(Command& program);
void add_experiment(Command& program);      // experiment schedules, pruning, …
void add_frameworks(Command& experiments);  // the experiment that takes several networks and other engines
void add_sweep(Command& program);
void add_show(Command& program);
void add_report(Command& program);
void add_external(Command& program);
void add_recording(Command& program);
void add_run(Command& program);
void add_profile(Command& program);
void add_export(Command& program);
void add_convert(Command& program);
void add_validate(Command& program);
void add_operators(Command& program);  // profile-operators; operators query, import, train, judge, insight
void add_verify_order(Command& program);
void add_worker(Command& program);
void add_store_commands(Command& program);  // store info, list, export, import, merge, prune

}  // namespace iosx::cli
