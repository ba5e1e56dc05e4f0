#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/model/recording/recording.h"

// Which kernels of a recording wait for which. Streams are no dependencies where better is known: they are the schedule
// that was recorded.
namespace iosx {

// The host waited in [begin, end] for these kernels, and for those of the waits before. What it launched later comes
// after them.
struct Barrier {
  double begin = 0;
  double end = 0;
  std::vector<std::uint32_t> kernels;  // the last ones of each stream
};

struct RecordedEdges {
  std::vector<RecordedEdge> edges;  // by `after`, then by `before`; each pair once
  std::vector<Barrier> barriers;    // by begin
  std::vector<bool> linked;         // kernels of which the execution trace says what they read and write
  std::size_t across_lanes = 0;     // data edges between lanes
  std::size_t graph_launches = 0;   // that fit a drawing of a CUDA graph
  std::size_t dumps_without_launch = 0;
  // It takes too long to find all of them, so that kernels without an edge may depend on one another all the same.
  bool incomplete = false;
  // Edges whose kernels overlap in the recording, by kind; an event that the file tells counts too.
  std::array<std::size_t, kEdgeKinds> broken{};

  std::size_t count(EdgeKind kind, EdgeCertainty certainty) const;
  // Returns whether the times of the recording break edges of this kind, so that its rule does not hold for the file.
  bool is_off(EdgeKind kind) const { return broken[static_cast<std::size_t>(kind)] > 0; }
  std::size_t kernels_linked() const;
};

// Returns whether a file says of some kernels what they depend on. Otherwise only the order of streams is known.
bool dependencies_known(const Recording& recording, const RecordedEdges& edges);

// Derives all edges. It is linear in the size of the recording, but for accesses to one storage.
RecordedEdges edges_of(const Recording& recording);

// Adds the edges that follow from what operators read and write, in the order in which the host launched their kernels:
// read after write, write after read, write after write, by storage and bytes. The number of a storage is used again
// once it is free, so outputs that no input aliases begin a new version of it. Marks the kernels in `linked`. Returns
// false if there are too many accesses to look at all pairs; edges are missing then.
[[nodiscard]] bool add_data_edges(const Recording& recording, std::vector<RecordedEdge>& edges,
                                  std::vector<bool>& linked);

}  // namespace iosx
