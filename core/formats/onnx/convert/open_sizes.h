#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/onnx/file_interface.h"
#include "core/formats/onnx/loaded_onnx.h"
#include "core/formats/onnx/model.h"
#include "core/formats/onnx/sizes.h"

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
  bool width = false;         // of an image whose height is another dimension
  bool derived = false;       // its size is computed from others
  std::string formula = {};   // that computes it: its name, or a sum of names that belong together
  bool may_be_empty = false;  // a size of 0 means something: that of what earlier steps of a decoder leave
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

// Sizes for a model's open axes: given ones, and candidates for the others.
class OpenSizes {
 public:
  // Errors are those of options: unknown names, and sizes that contradict the model or one another. Their place is
  // the option.
  static Result<OpenSizes> of(const OnnxModel& model, const OnnxOptions& options);

  // Returns how many combinations of sizes to try, at least one; the first is the likeliest.
  std::size_t choices() const { return choices_.size(); }
  Sizes sizes(std::size_t choice) const { return sizes(choice, {}); }
  // Returns the same with another size for the open leading axes and all axes of their names.
  Sizes sizes(std::size_t choice, std::optional<std::int64_t> batch) const;

  // The size of the leading axes, if they may be a batch, and whether the file leaves it open.
  struct Batch {
    std::int64_t size = 1;
    bool open = false;
  };
  std::optional<Batch> batch(const Sizes& sizes) const;

  // Returns inputs and open dimensions, without outputs yet.
  FileInterface describe(std::size_t choice) const;

 private:
  using Choice = std::array<std::size_t, kAxisRoles>;  // index into the candidates of all dimensions of a role

  Result<void> take_shapes(const OnnxOptions& options);
  Result<void> take_dims(const OnnxOptions& options);
  void solve_given();
  Result<void> check_given() const;
  Sizes given_sizes(std::optional<std::int64_t> instead = {}) const;
  void list_choices(std::size_t nodes);

  std::int64_t size_of(const InputAxis& axis, const Choice& choice, const Sizes& sizes) const;
  SizeOrigin origin_of(const InputAxis& axis) const;
  Message names() const;

  OpenAxes axes_;
  std::vector<Choice> choices_;
};

}  // namespace iosx::onnx_import
