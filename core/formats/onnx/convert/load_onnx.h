#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/formats/onnx/file_interface.h"
#include "core/formats/onnx/loaded_onnx.h"
#include "core/formats/onnx/model.h"

namespace iosx::onnx_import {

// Reads and converts a model. The graph's name is the file's.
Result<LoadedOnnx> load_onnx(const std::filesystem::path& path, const OnnxOptions& options = {});

// Converts a model. The leading axis is stripped from all shapes if every operator keeps samples apart. Batch
// normalisation, constant factors and activations are fused into the convolutions before them. Unsupported operators
// become Opaque. An empty name stands for the model's own. Errors name the node; options that do not fit are an error
// with the option as its place ("--dim x=3"). Open sizes that are not given become the usual ones for the axis's
// apparent role; where the model cannot be read with them, some others are tried.
Result<LoadedOnnx> to_graph(const OnnxModel& model, const OnnxOptions& options = {}, std::string name = {});

// Returns inputs and open sizes, as to_graph() would begin with them, without converting anything; there are no
// outputs.
Result<FileInterface> inputs_of(const OnnxModel& model, const OnnxOptions& options = {});

// Returns whether a file with this beginning is an ONNX model; with `named`, its name says so and weaker
// evidence suffices.
bool begins_like_onnx(std::string_view head, bool named);

}  // namespace iosx::onnx_import
