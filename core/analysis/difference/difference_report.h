#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "core/analysis/difference/part_matrix.h"
#include "core/analysis/difference/stage_difference.h"
#include "core/tables/render.h"

namespace iosx {

// Says what changed from A to B, for people: "2 stages joined into 1; conv_a + conv_b merged". Names are printable.
Message change_message(const StageRow& row, const Subject& a, const Subject& b);
std::string stages_text(std::span<const std::size_t> stages);  // "3, 5–7" from 1; "–" of none
// "+0.041", "-0.0003", "0": in ms.
std::string signed_millis(Millis difference);
// Returns "~" within the noise, "?" with too few samples, "" for a significant difference.
std::string_view verdict_mark(const Delta& delta);
std::string_view verdict_name(Verdict verdict);  // "faster", in documents

// One row a part, one column a subject: the baseline's ms, the others' Δ ms; then what lies between stages, the rest
// and the whole.
Table part_comparison(std::span<const Subject> subjects, const PartMatrix& matrix);
// Holds the statistics of the end-to-end latency of one run.
struct RunStatistics {
  std::string label;
  SubjectStatistics statistics;
  std::optional<Speedup> speedup = {};  // against the baseline, as the next one
  std::optional<Delta> delta = {};
  Message recorded = {};  // where and when, or by what
  Message remarks = {};   // for people
};
// One row a run. Differences are `per`, all other times are of a whole batch.
Table statistics_table(const std::vector<RunStatistics>& runs, Per per);

// The stage comparison: one row for stages that hold the same operators; as totals what lies between stages, the rest
// and the whole.
Table stage_comparison(const Subject& a, const Subject& b, const StageDifference& difference);
// Says what was matched, and which operators are missing, added, changed; empty where the graphs are the same.
std::string match_text(const Subject& a, const Subject& b, const GraphMatch& match);

// Returns {"sentence", "baseline", "per" ("batch", or "sample" where batches differ: differences and parts are of one
// sample, "latency_ms" and its statistics of a run), "subjects": [{"label", "network", "device", "batch", "id",
// "origin", "recorded", "latency_ms", "spread_ms", "samples", "rounds", "mean_ms", "interval_ms": [low, high],
// "p95_ms", "p99_ms" (Percentiles, if shown), "delta_ms", "noise_ms", "verdict", "speedup"}], "parts": [{"name",
// "cells": [{"latency_ms", "delta_ms", "noise_ms", "verdict", "units"}]}], "between_stages_ms": [], "rest_ms": []}. An
// unknown "noise_ms" is null. "verdict" is "faster", "slower", "same" (within the noise) or "unknown".
nlohmann::ordered_json matrix_json(std::span<const Subject> subjects, const PartMatrix& matrix);
// Returns {"a", "b", "per", "identical", "missing", "added", "changed", "renamed": [[A's, B's]],
// "has_stage_latencies", "traced" (as in StageDifference), "rows": [{"a", "b" (stages, from 1), "a_ms", "b_ms",
// "delta_ms", "relative", "noise_ms", "verdict", "change", "a_kernels": {"count", "lanes" (most of a stage), "busy_ms"
// (sum of kernel times in the traced run; null without a trace)}, "b_kernels", "units", "moves": [{"units", "from",
// "to"}], "merged", "unmerged"}], "between_stages_ms", "rest_ms", "delta_ms"}, with names of operators and units.
nlohmann::ordered_json stages_json(const Subject& a, const Subject& b, const GraphMatch& match,
                                   const StageDifference& difference);

}  // namespace iosx
