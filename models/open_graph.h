#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/formats/document.h"

namespace iosx {

// Returns what each network of "squeezenet+path/to/other.onnx" is called; the whole text alone where it is one network:
// a built-in one's name, the path of a file that is there, a text without a plus. A plus in the path of a file that is
// there separates nothing. A name may come out empty, which open_graph() refuses.
std::vector<std::string> names_of_networks(const std::string& text);

// True when open_graph() would look for a file: no built-in network has that name, and it looks like a path or is one.
// Of several networks, when one of them is such a file.
bool names_a_file(const std::string& name_or_path);

// Opens a built-in network by name or else a file: of any kind that load_document() reads, or a schedule file of ours
// that names a built-in network, which is opened with that schedule. The error for an unknown name suggests the nearest
// one and lists all. `sizes` as for load_document().
//
// Several networks with a plus between (names_of_networks()) are opened as one graph (core/model/graph/networks.h).
// A size is for the networks that have an input or a dimension of that name, or of this one where the network's name
// and a slash stand before it; where none has, it is an error. Schedules in files are left aside, with a warning. They
// run with one batch: the largest that one of them has by itself, 1 where one runs with no other; a warning says so
// where they differ.
Result<Document> open_graph(const std::string& name_or_path, const InputSizes& sizes = {});

// Returns the batch to run an opened network with: the one that is asked for, or else its own. The error is one that it
// cannot run with, and what to give instead.
Result<std::int64_t> batch_to_run(const Document& document, const std::string& name_or_path,
                                  std::optional<std::int64_t> asked);

// Returns the graph that our schedule file names; empty if it cannot be read (loading it then says why).
std::string graph_of_schedule_file(const std::string& path);

// Returns, of `names`, the one that `name` was probably meant to be: at most a third of its letters differ. It is empty
// if none is.
template <typename Names>
std::string nearest(const std::string& name, const Names& names);

// Counts the letters to insert, delete, replace or swap with a neighbour to turn one into the other; case is ignored.
std::size_t edit_distance(std::string_view a, std::string_view b);

template <typename Names>
std::string nearest(const std::string& name, const Names& names) {
  std::string best;
  std::size_t best_distance = name.size() / 3 + 1;
  for (const auto& candidate : names) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace iosx
