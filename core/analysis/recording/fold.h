#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/recording/edges.h"
#include "core/model/recording/recording.h"

// Folds the kernels of a recording by what the host did when it launched them, so that thousands of kernels are read as
// a few boxes: steps have modules and annotations, these have operators, and operators have kernels.
namespace iosx {

enum class FoldKind : std::uint8_t {
  kAll,
  kStep,
  kAnnotation,  // or a module
  kOperator,
  kRepeat,   // equal stretches one after another, such as layers without a name
  kStretch,  // a part of a list that is too long to be shown at once
  kKernel,
};

// A box of the folded recording.
struct FoldNode {
  NameId name = 0;            // of its range, or of the kernel; of others that of their first kernel
  std::uint32_t kernel = 0;   // its first one
  std::uint32_t parent = 0;   // of the first box: itself
  std::uint32_t end = 0;      // the boxes inside it are those behind it and before this one
  std::uint32_t repeats = 1;  // it stands for so many equal ones; the boxes inside it are those of the first
  std::uint32_t kernels = 0;  // of all that it stands for
  double time = 0;            // of these kernels together, in µs
  FoldKind kind = FoldKind::kAll;
  bool leaf = true;  // nothing is inside it
};

struct RecordingFold {
  std::vector<FoldNode> nodes;        // [0] is everything; each stands behind the one around it
  std::vector<std::uint32_t> box_of;  // per kernel: the innermost box that stands for it

  std::vector<std::uint32_t> children(std::uint32_t node) const;
  bool inside(std::uint32_t node, std::uint32_t around) const { return around <= node && node < nodes[around].end; }
  // Returns the kernels that a box stands for, in their order.
  std::vector<std::uint32_t> kernels_of(std::uint32_t node) const;
};

// A box with one box inside it is one with that. Takes time linear in the kernels. The recording has kernels.
RecordingFold fold_of(const Recording& recording);

// What is shown of a fold: boxes that are unfolded show what is inside them.
class Unfolding {
 public:
  static constexpr std::size_t kMost = 2000;  // boxes at once
  static constexpr std::size_t kFirst = 40;   // at most, before anybody unfolds anything

  // Unfolds the boxes that take most time, so that about `first` are shown. The fold must outlive it.
  explicit Unfolding(const RecordingFold& fold, std::size_t first = kFirst);

  bool unfolded(std::uint32_t node) const { return unfolded_[node]; }
  bool shown(std::uint32_t node) const;  // all around it are unfolded
  std::size_t count() const { return count_; }
  // Returns false where too many would be shown, or nothing is inside it.
  bool unfold(std::uint32_t node);
  void fold(std::uint32_t node);
  bool reveal(std::uint32_t node);  // unfolds all around it, as far as it may
  // Returns the shown box that stands for a kernel and is not unfolded.
  std::uint32_t box_of(std::uint32_t kernel) const;

 private:
  std::size_t shown_inside(std::uint32_t node) const;

  const RecordingFold* fold_;
  std::vector<bool> unfolded_;
  std::size_t count_ = 0;
};

// Edges between boxes inside the same box: kernels of one wait for kernels of the other.
struct FoldEdge {
  std::uint32_t before = 0;
  std::uint32_t after = 0;
  std::uint32_t count = 0;  // of edges between kernels
  bool known = false;       // one of them is
  friend bool operator==(const FoldEdge&, const FoldEdge&) = default;
};
// Returns those between shown boxes, each pair once, by `before`. Kernels of unfolded boxes count for these where the
// other end is outside. Leaves out edges of rules that are off, those within a box, and those from a box to one that
// stands before it, which equal stretches have among one another.
std::vector<FoldEdge> fold_edges(const RecordingFold& fold, const Unfolding& unfolding, const RecordedEdges& edges);

}  // namespace iosx
