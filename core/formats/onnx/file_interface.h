#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

// A network's inputs and outputs as its file has them, and the sizes that a file may leave open.
namespace iosx {

// Given sizes for axes that the file leaves open.
struct InputSizes {
  // The whole shape of an input, with the batch, by the input's name.
  std::map<std::string, std::vector<std::int64_t>, std::less<>> shapes = {};
  // By the dimension's name.
  std::map<std::string, std::int64_t, std::less<>> dims = {};

  bool empty() const { return shapes.empty() && dims.empty(); }
  friend bool operator==(const InputSizes&, const InputSizes&) = default;
};

// Reads "INPUT=1x3x640x640" or "NAME=640" into `sizes`. Errors: no size, invalid sizes, a second size for the same
// axis.
Result<void> add_shape(InputSizes& sizes, const std::string& text);
Result<void> add_dim(InputSizes& sizes, const std::string& text);

enum class SizeOrigin : std::uint8_t {
  kFile,    // in the file
  kGiven,   // by the user
  kChosen,  // by this program, because none was given
};
std::string_view to_string(SizeOrigin origin);  // "file", "option", "chosen"

struct FileAxis {
  std::int64_t size = 1;
  SizeOrigin origin = SizeOrigin::kFile;
  // The open dimension's name, for an output the file's own; empty where the file has the size or no name.
  std::string dim = {};
  bool open = false;  // the graph is written the same for any size (export.h)
};

// An input or output. Its shape has the batch as its leading axis where the network has one.
struct FileTensor {
  std::string name;
  std::string op;                // the graph's operator; inputs and outputs keep their names unless those were taken
  std::string type = "float32";  // ONNX's name
  std::vector<FileAxis> axes = {};

  std::vector<std::int64_t> shape() const;
};

// A dimension that the file leaves open: axes of one name have one size.
struct OpenDim {
  std::string name;  // the file's, or one for the axis's apparent role: "height", "sequence", "x[2]"
  std::int64_t size = 1;
  SizeOrigin origin = SizeOrigin::kChosen;
  std::vector<std::int64_t> suggestions = {};  // the likeliest first
  std::vector<std::string> places = {};        // "axis 2 of x"
  bool batch = false;                          // apparently the batch
};

struct FileInterface {
  std::vector<FileTensor> inputs = {};   // in the file's order
  std::vector<FileTensor> outputs = {};  // in the file's order
  std::vector<OpenDim> open = {};        // in the order of the inputs
  // The leading axis of every input and output is the batch, which shapes in the graph do not have.
  bool leading_batch = false;
  // The graph then holds for any batch, not only for the one of its import.
  bool any_batch = false;

  // Returns those that decide the graph's shapes, without a batch that does not.
  std::vector<const OpenDim*> deciding() const;
};

std::string sizes_text(const std::vector<std::int64_t>& sizes);  // "1x3x224x224"; "scalar" without any
// Returns "height 224 and width 224": the deciding dimensions of this origin; empty without any.
std::string open_text(const FileInterface& interface, SizeOrigin origin);
// Returns "--dim height=SIZE or --shape x=1x3x224x224": the options that change them.
std::string size_options(const FileInterface& interface);
// Returns one line about chosen sizes and how to change them; empty where none was chosen.
std::string chosen_text(const FileInterface& interface);

}  // namespace iosx
