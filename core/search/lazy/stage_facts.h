#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/model/graph/graph.h"

namespace iosx {

// These are what a prediction knows of a stage, besides the kinds of its units. Times are in ms, from units run alone.
struct StageFacts {
  float sum = 0;      // of its units
  float longest = 0;  // group, as the sum of its units
  float second = 0;   // the next longest group; 0: there is one only
  float largest = 0;  // unit
  float root = 0;     // of the sum of the units' squares
  float flops = 0;    // as the time that they take at the network's mean rate
  float bytes = 0;    // the same
  float chained = 0;  // units that follow another one of their group
  float light = 0;    // of these, those that could be fused: they only move data or work element by element
  float heavy = 0;    // of the longest group without such units
  std::uint16_t units = 0;
  std::uint16_t groups = 0;
  bool merged = false;
};

// Holds what units take by themselves, by UnitId, as far as that is known.
struct UnitTimes {
  std::vector<double> ms;        // not a number: unknown
  std::vector<double> flops_ms;  // their work as the time that it takes at the mean rate of the known ones
  std::vector<double> bytes_ms;
  double mean_ms = 0;
};
UnitTimes unit_times(const Graph& graph, std::vector<double> ms);

// One unit of a stage.
struct UnitFacts {
  double ms = 0;  // by itself
  double flops_ms = 0;
  double bytes_ms = 0;
  std::size_t group = 0;  // of the stage, from 0
  bool follows = false;   // another one of its group
  bool light = false;     // is_light()
};

// Units by id. `merged`: all of them run as one convolution.
StageFacts stage_facts(std::span<const UnitFacts> units, bool merged);

// A unit that only moves data or works element by element, so that a device may do it along with the one before.
bool is_light(const Graph& graph, const Unit& unit);

// How far a stage may be below what is expected of it, as found so far. Measured units bound what they are part of, not
// strictly, but as devices behave: the factors start where simulations and experience put them, and fall below every
// measurement that went further.
struct BoundFactors {
  double chain = 0.89;       // one group: over the sum of its units
  double concurrent = 1;     // several: over the longest one
  double merged = 0.8;       // over the largest unit
  bool light_counts = true;  // units that could be fused into the one before them

  double least() const { return std::min({1.0, chain, concurrent, merged}); }
};

// Returns what a stage takes at least, in ms, as far as the factors are to be believed.
double stage_bound(const StageFacts& facts, const BoundFactors& factors);
// Lowers the factors where the stage was found to take less than they say. What it takes over what they said, 1 where
// that is no less.
double lower_factors(BoundFactors& factors, const StageFacts& facts, double ms);

}  // namespace iosx
