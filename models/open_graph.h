#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/formats/document.h"

namespace iosx {

// Returns the name of each network in "squeezenet+path/to/other.onnx"; the whole text alone where it is one network: a
// built-in one's name, the path of an existing file, a text without a plus. A plus in the path of an existing file
// separates nothing. A name may be empty, which open_graph() refuses.
std::vector<std::string> names_of_networks(const std::string& text);

// Returns true when open_graph() would look for a file: no built-in network has that name, and it looks like a path or
// is one. For several networks, when one of them is such a file.
bool names_a_file(const std::string& name_or_path);

// Opens a built-in network by name or else a file: of any kind that load_document() reads, or a schedule file of ours
// that names a built-in network, which is opened with that schedule. The error for an unknown name suggests the nearest
// one and lists all. `sizes` as for load_document().
//
// Several networks separated by a plus (names_of_networks()) open as one graph (core/model/graph/networks.h). A size
// applies to the networks with an input or dimension of that name, or to one where its name and a slash precede it; a
// size without any is an error. Schedules in files are dropped, with a warning. They run with one batch: the largest
// of their own, or 1 where a network runs with no other; a warning says so where they differ.
Result<Document> open_graph(const std::string& name_or_path, const InputSizes& sizes = {});

// Returns the batch of an opened network: the requested one, or else its own. The error is a batch that it cannot run
// with, with a valid one.
Result<std::int64_t> batch_to_run(const Document& document, const std::string& name_or_path,
                                  std::optional<std::int64_t> asked);

// Returns the graph named by our schedule file; empty if it cannot be read (loading it then gives the reason).
std::string graph_of_schedule_file(const std::string& path);

// Returns the one of `names` that `name` was probably meant to be: at most a third of its letters differ. Empty if
// there is none.
template <typename Names>
std::string nearest(const std::string& name, const Names& names);

// Returns how many letters to insert, delete, replace or swap with a neighbour turn one into the other; case is
// ignored.
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
