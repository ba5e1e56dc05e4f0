#pragma once

#include <string>

#include "core/graph/concat_places.h"
#include "core/schedule/schedule.h"

namespace iosx {

// How the device lowers stages: what it takes account of makes stages differ that are alike otherwise.
struct SignatureOptions {
  const ConcatPlaces* places = nullptr;  // where concatenations are in place: those of the graph
  bool fuse = false;                     // it fuses operators inside a group that nobody outside reads
};

// The structure of a stage: units, shapes, attributes, wiring, sharing of inputs and channel slices, free of names,
// ids and of the order of the groups. Equal signatures mean the same measurement; the reverse may fail on rare
// symmetric stages, which costs a measurement and no correctness. A readable, lossless text, not a hash.
std::string stage_signature(const Graph& graph, const Stage& stage, const SignatureOptions& options = {});

// The signature, and the stage with its groups in the order in which the signature lists them. What is measured is
// always the stage in this order: launch order and lanes matter to a device, so a latency kept by signature would
// otherwise be that of whichever order came first.
struct CanonicalStage {
  std::string signature;
  Stage stage;
};
CanonicalStage canonical(const Graph& graph, const Stage& stage, const SignatureOptions& options = {});

}  // namespace iosx
