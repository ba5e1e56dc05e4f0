#pragma once

#include "core/analysis/difference/subject.h"
#include "tests/support/prelude.h"

namespace iosx::test {

// All five schedules of a network of the zoo on a simulated device; made once per program.
std::shared_ptr<const Comparison> simulated_run(const std::string& network, const std::string& device = "tesla-v100",
                                                std::int64_t batch = 1);

// Returns every schedule of the runs, unlabelled.
std::vector<Subject> all_of(const std::vector<std::shared_ptr<const Comparison>>& runs);

}  // namespace iosx::test
