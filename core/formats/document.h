#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/onnx/file_interface.h"
#include "core/formats/onnx/loaded_onnx.h"
#include "core/formats/schedule_file.h"

namespace iosx {

// The content of a file: a graph, and its schedule if the file has one.
struct Document {
  std::shared_ptr<const Graph> graph;
  std::optional<ScheduleFile> schedule = {};
  // False where the graph has the batch in its shapes (an ONNX model that mixes samples); it then runs with a batch
  // of 1.
  bool batched = true;
  std::vector<Message> warnings = {};  // one sentence each, for the user
  // The inputs and outputs of the file; empty where the file says no more than the graph.
  FileInterface file = {};
  // The batch of the file or of its given sizes; 1 where neither has one.
  std::int64_t batch = 1;
};

// Reads the original project's JSON ({name, input, blocks}). Errors name the file's element (block, node, line for
// a syntax error). `origin` (a path) begins every error message.
Result<Document> parse_ios_json(std::string_view text, const std::string& origin);

// Writes graph and schedule in the same form; merge stages become merged convolutions with a hint_name, and their
// consumers read channel slices. Returns an error that names the operator for what the format cannot express
// (dilation, several inputs, ceil_mode, …). A Linear becomes the equal convolution.
Result<std::string> to_ios_json(const Graph& graph, const Schedule& schedule);

// Returns inputs and outputs of any kind of document, with this batch: those of the graph where the file has none.
FileInterface interface_of(const Document& document, std::int64_t batch);

// Returns the names of the operators that the file lists as outputs, in its order, for exports.
std::vector<std::string> output_names(const Document& document);

// Reads a file of any kind we know, told apart by its content: JSON of at most 256 MiB, or an ONNX model of at most 2
// GiB, with its weights beside it or not, and with the schedule that iosx export scheduled-onnx wrote into it, where
// that fits the graph, in units as it parts them (schedule_of_onnx()); a warning says why it does not. `sizes` are for
// axes that an ONNX model leaves open, and an error with another kind of file. An error whose place begins with "--" is
// about them. `compute` is OnnxOptions::compute.
Result<Document> load_document(const std::filesystem::path& path, const InputSizes& sizes = {},
                               GraphFunction compute = {});

// Splits the units of the graph as finer_units() does, and its schedule with it; false where nothing is to split. Lanes
// are of kernels of the former units, so a warning says that they are left out.
bool make_finer(Document& document);

// Returns an error where there are any, for graphs whose shapes are all known.
Result<void> check_no_sizes(const InputSizes& sizes);

// Joins several documents: the graph of unite() (core/model/graph/networks.h), with inputs, outputs and open dimensions
// of all. Inputs and outputs have their operators' names, dimensions are prefixed with the network's name. `names` are
// the opened names, for warnings. Schedules are dropped with a warning. They run with one batch: the largest of their
// own, or 1 where a network runs with no other; a warning says so where they differ. Errors are those of unite().
Result<Document> unite(std::span<const Document> documents, std::span<const std::string> names);

}  // namespace iosx
