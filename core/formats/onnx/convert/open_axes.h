#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/formats/onnx/loaded_onnx.h"
#include "core/formats/onnx/model.h"

namespace iosx::onnx_import {

// The role of an axis. A strip is an image of a line of text.
enum class AxisRole : std::uint8_t { kUnknown, kBatch, kChannels, kImage, kStrip, kText, kSequence, kSound };
inline constexpr std::size_t kAxisRoles = 8;

struct InputAxis {
  std::optional<std::int64_t> size;        // in the file
  std::string symbol;                      // the file's name; empty without one
  std::size_t dim = 0;                     // index into OpenAxes::dims, for an axis without a size
  std::optional<std::int64_t> given = {};  // from the given shape of the input
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
  bool derived = false;  // its name, and so its size, is computed from others
  std::optional<std::int64_t> given = {};
  std::vector<std::int64_t> candidates = {};  // sizes worth trying, the likeliest first; at least one
};

// A model's inputs, their open dimensions, and the apparent role of each.
//
// An axis without a name gets one by its role, so that axes of one role have one size: "batch", "height", "width",
// "sequence", or else INPUT[AXIS].
struct OpenAxes {
  std::vector<SizedInput> inputs;  // without bound ones
  std::vector<OpenDimension> dims;
};
// Returns a model's open axes. It uses these options: bound inputs, the shapes of inputs without a rank in the file,
// and the batch.
OpenAxes open_axes(const OnnxModel& model, const OnnxOptions& options);

// Returns the axis of an image's height, which its width follows; none where the input is not an image, or the file
// has both.
std::optional<std::size_t> image_height(const SizedInput& input);

}  // namespace iosx::onnx_import
