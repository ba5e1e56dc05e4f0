#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

// These types hold a network's inputs and outputs as its file has them, and the sizes that a file may leave open.
namespace iosx {

// Holds sizes that somebody gives for axes which the file leaves open.
struct InputSizes {
  // Each is the whole shape of an input, batch included, by the input's name.
  std::map<std::string, std::vector<std::int64_t>, std::less<>> shapes = {};
  // These are by the dimension's name.
  std::map<std::string, std::int64_t, std::less<>> dims = {};

  bool empty() const { return shapes.empty() && dims.empty(); }
  friend bool operator==(const InputSizes&, const InputSizes&) = default;
};

// Reads "INPUT=1x3x640x640" or "NAME=640" into `sizes`. Errors: no size, sizes that are no extents, a second size for
// the same.
Result<void> add_shape(InputSizes& sizes, const std::string& text);
Result<void> add_dim(InputSizes& sizes, const std::string& text);

enum class SizeOrigin : std::uint8_t {
  kFile,    // stands in the file
  kGiven,   // by the user
  kChosen,  // by this program, because nobody gave one
};
std::string_view to_string(SizeOrigin origin);  // "file", "option", "chosen"

struct FileAxis {
  std::int64_t size = 1;
  SizeOrigin origin = SizeOrigin::kFile;
  // Is the open dimension's name, of an output the file's own; empty where the file has the size or no name.
  std::string dim = {};
  bool open = false;  // the graph is written the same whatever the size is (kept_open.h)
};

// Is an input or output. Its shape has the batch as its leading axis where the network has one.
struct FileTensor {
  std::string name;
  std::string op;  // the graph's operator; inputs and outputs keep their names where nothing else took them
  std::string type = "float32";  // as ONNX calls it
  std::vector<FileAxis> axes = {};

  std::vector<std::int64_t> shape() const;
};

// Is a dimension that the file leaves open: axes of one name have one size.
struct OpenDim {
  std::string name;  // the file's, or one that tells what the axis seems to be: "height", "sequence", "x[2]"
  std::int64_t size = 1;
  SizeOrigin origin = SizeOrigin::kChosen;
  std::vector<std::int64_t> suggestions = {};  // the likeliest first
  std::vector<std::string> places = {};        // "axis 2 of x"
  bool batch = false;                          // seems to be the batch
};

struct FileInterface {
  std::vector<FileTensor> inputs = {};   // in the file's order
  std::vector<FileTensor> outputs = {};  // the same
  std::vector<OpenDim> open = {};        // in the order in which the inputs name them
  // The leading axis of every input and output is the batch, which shapes in the graph do not have.
  bool leading_batch = false;
  // Then the graph holds for any batch, not only for the one that it was read with.
  bool any_batch = false;

  // Returns those that decide the graph's shapes: without a batch that is none of them.
  std::vector<const OpenDim*> deciding() const;
};

std::string sizes_text(const std::vector<std::int64_t>& sizes);  // "1x3x224x224"; "scalar" without any
// Writes "height 224 and width 224": the dimensions of this origin among those that decide; it is empty if there are
// none.
std::string open_text(const FileInterface& interface, SizeOrigin origin);
// Writes "--dim height=SIZE or --shape x=1x3x224x224": what changes them.
std::string size_options(const FileInterface& interface);
// Returns one line that says what was chosen and how to change it; it is empty where nothing was.
std::string chosen_text(const FileInterface& interface);

}  // namespace iosx
