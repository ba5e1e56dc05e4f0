#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/formats/onnx/loaded_onnx.h"
#include "core/formats/onnx/model.h"

namespace iosx::onnx_import {

// Says what the size of an axis is of. A strip is an image of a line of text.
enum class AxisRole : std::uint8_t { kUnknown, kBatch, kChannels, kImage, kStrip, kText, kSequence, kSound };
inline constexpr std::size_t kAxisRoles = 8;

struct InputAxis {
  std::optional<std::int64_t> size;        // in the file
  std::string symbol;                      // the file's name; empty where it gives none
  std::size_t dim = 0;                     // index in OpenAxes::dims, of an axis without a size
  std::optional<std::int64_t> given = {};  // with the input's whole shape
};
struct SizedInput {
  std::string name;
  ElementType type = ElementType::kUndefined;
  std::vector<InputAxis> axes;
  bool known_rank = true;
  bool time_first = false;  // a recurrent layer reads it: positions x sequences x features
};
struct OpenDimension {
  std::string name;
  AxisRole role = AxisRole::kUnknown;
  bool width = false;    // of an image whose height is another dimension
  bool derived = false;  // its name is computed from others, and so is its size
  std::optional<std::int64_t> given = {};
  std::vector<std::int64_t> candidates = {};  // sizes worth trying, the likeliest first; at least one
};

// Has a model's inputs, the dimensions that they leave open, and what each seems to be.
//
// An axis without a name of its own gets one that tells its role, so that axes of the same role have the same size:
// "batch", "height", "width", "sequence", or else INPUT[AXIS].
struct OpenAxes {
  std::vector<SizedInput> inputs;  // but those that are bound
  std::vector<OpenDimension> dims;
};
// Finds a model's open axes. Of the options it needs what is bound, the shapes of inputs whose rank the file does not
// tell, and the batch.
OpenAxes open_axes(const OnnxModel& model, const OnnxOptions& options);

// Returns the axis that is an image's height; its width follows. It returns nothing where the input is no image, or
// both are in the file.
std::optional<std::size_t> image_height(const SizedInput& input);

}  // namespace iosx::onnx_import
