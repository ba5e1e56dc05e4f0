#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/onnx/convert/open_axes.h"
#include "core/formats/onnx/file_interface.h"
#include "core/formats/onnx/loaded_onnx.h"
#include "core/formats/onnx/sizes.h"

namespace iosx::onnx_import {

// Sizes for a model's open axes (open_axes.h): given ones, and candidates for the others.
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
