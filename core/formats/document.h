#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/onnx/file_interface.h"
#include "core/formats/onnx/graph_function.h"
#include "core/model/schedule/schedule.h"

namespace iosx {

// Holds what is in a file: a graph, and the schedule in it if there is one.
struct Document {
  std::shared_ptr<const Graph> graph;
  std::optional<Schedule> schedule;
  // It is false where the graph has the batch in its shapes (an ONNX model that mixes samples), and then runs with a
  // batch of 1.
  bool batched = true;
  std::vector<Message> warnings = {};  // one sentence each, for the user
  // Has inputs and outputs as the file has them; it is empty where the file says no more than the graph.
  FileInterface file = {};
  // Is the batch that the file has or its given sizes ask for; 1 where nothing does.
  std::int64_t batch = 1;
};

// Reads the original's JSON ({name, input, blocks}). Errors name the file's element (block, node, line for a syntax
// error). `origin` (a path) leads every error message.
Result<Document> parse_ios_json(std::string_view text, const std::string& origin);

// Writes graph and schedule in the same form; merge stages become merged convolutions with a hint_name, and their
// consumers read channel slices. What the format cannot say (dilation, several inputs, ceil_mode, …) is an error that
// names the operator. A Linear becomes the convolution it equals.
Result<std::string> to_ios_json(const Graph& graph, const Schedule& schedule);

// Returns inputs and outputs of a document whatever its kind, with this batch: those of the graph where the file says
// nothing.
FileInterface interface_of(const Document& document, std::int64_t batch);

// Returns the operators whose results the file lists as outputs, by name, in its order; exports need them.
std::vector<std::string> output_names(const Document& document);

// Reads a file of any kind we know, told apart by its content: JSON of at most 256 MiB, or an ONNX model of at most 2
// GiB, with its weights beside it or not, and with the schedule that iosx export scheduled-onnx wrote into it, where that fits
// the graph, in units as it parts them (schedule_of_onnx()); a warning says why it does not. `sizes` are for axes that
// an ONNX model leaves open, and an error with another kind of file. An error whose place begins with "--" is about
// them. `compute` is OnnxOptions::compute.
Result<Document> load_document(const std::filesystem::path& path, const InputSizes& sizes = {},
                               GraphFunction compute = {});

// Checks that there are none: for graphs whose shapes are all known.
Result<void> check_no_sizes(const InputSizes& sizes);

}  // namespace iosx
