#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/formats/onnx/file_interface.h"
#include "core/formats/onnx/loaded_onnx.h"
#include "core/formats/onnx/model.h"

namespace iosx::onnx_import {

// Reads a model and converts it. The graph is named after the file.
Result<LoadedOnnx> load_onnx(const std::filesystem::path& path, const OnnxOptions& options = {});

// Converts a model. The leading axis is taken off all shapes if every operator keeps samples apart. Batch
// normalisation, constant factors and activations are fused into the convolutions before them. What the graph has no
// operator for becomes Opaque. An empty name stands for the model's own. Errors name the node, and options that do not
// fit, which are then their place ("--dim x=3"). Sizes that the model leaves open and nobody gives are those that are
// usual for what the axis seems to be; where the model cannot be read with them, some others are tried.
Result<LoadedOnnx> to_graph(const OnnxModel& model, const OnnxOptions& options = {}, std::string name = {});

// Returns inputs and the sizes that are open, as to_graph() would begin with them, without converting anything; it has
// no outputs.
Result<FileInterface> inputs_of(const OnnxModel& model, const OnnxOptions& options = {});

// Says whether a file that begins so is an ONNX model; less certainty is enough where it is `named` as one.
bool begins_like_onnx(std::string_view head, bool named);

}  // namespace iosx::onnx_import
