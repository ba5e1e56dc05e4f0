#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/cost/latency_source.h"

namespace iosx {

enum class Care { kQuickEstimate, kRefined };

// Returns the source's checked latencies: one per stage unless a stop came, none below zero. Reports the stages of
// this request on top of `done`, out of `total`.
Result<std::vector<Latency>> ask_source(LatencySource& latencies, Care care, std::span<const Stage> stages,
                                        std::int64_t done, std::int64_t total, const JobContext& job);

}  // namespace iosx
