#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/import/onnx/call.h"
#include "core/import/onnx/file_interface.h"
#include "core/import/onnx/load_onnx.h"

namespace iosx::onnx_import {

// A size for everything that a model's inputs leave open.
struct Sizes {
  std::map<std::string, Dims, std::less<>> inputs;           // whole shapes of those that are not bound
  std::map<std::string, std::int64_t, std::less<>> symbols;  // of the file's names

  // Of a declared dimension that is not fixed: a name, or sums and products of names ("2*height", "past + 1").
  std::optional<std::int64_t> of(const std::string& symbol) const;
};

// The dimensions that a model's inputs leave open, what each seems to be, and the sizes worth trying.
//
// An axis without a name of its own gets one that tells its role, so that axes of the same role have the same size:
// "batch", "height", "width", "sequence", or else INPUT[AXIS].
class OpenSizes {
 public:
  // Errors are the options': names that the model does not have, sizes that contradict it or one another. Their place
  // is the option.
  static Result<OpenSizes> of(const OnnxModel& model, const OnnxOptions& options);

  // How many combinations of sizes there are to be tried, at least one; the first is the likeliest.
  std::size_t choices() const { return choices_.size(); }
  Sizes sizes(std::size_t choice) const;

  // The size of the leading axes, where they may be taken for a batch; and whether a file leaves it open.
  struct Batch {
    std::int64_t size = 1;
    bool open = false;
  };
  std::optional<Batch> batch(const Sizes& sizes) const;

  // Inputs and open dimensions; no outputs yet.
  FileInterface describe(std::size_t choice) const;

 private:
  enum class Role : std::uint8_t { kUnknown, kBatch, kChannels, kImage, kStrip, kText, kSequence, kSound };
  static constexpr std::size_t kRoles = 8;
  struct Axis {
    std::optional<std::int64_t> size;  // in the file
    std::string symbol;                // the file's name; empty where it gives none
    std::size_t dim = 0;               // index in dims_, of an axis without a size
    std::optional<std::int64_t> given = {};
  };
  struct SizedInput {
    std::string name;
    ElementType type = ElementType::kUndefined;
    std::vector<Axis> axes;
    bool known_rank = true;
    bool time_first = false;  // a recurrent layer reads it: positions x sequences x features
  };
  struct Dimension {
    std::string name;
    Role role = Role::kUnknown;
    bool width = false;    // of an image whose height is another dimension
    bool derived = false;  // its name is computed from others, and so is its size
    std::optional<std::int64_t> given = {};
    std::vector<std::int64_t> candidates = {};
  };
  struct Place;                                    // what an axis seems to be by where it stands
  using Choice = std::array<std::size_t, kRoles>;  // index into the candidates of all dimensions of a role

  void take_inputs(const OnnxModel& model, const OnnxOptions& options);
  void name_axes(const OnnxModel& model, const OnnxOptions& options);
  void name_axis(SizedInput& input, std::size_t axis);
  void find_derived();
  Result<void> take_shapes(const OnnxOptions& options);
  Result<void> take_dims(const OnnxOptions& options);
  Result<void> check_given() const;
  void list_choices(std::size_t nodes);

  Place place_of(const SizedInput& input, std::size_t axis) const;
  static Role role_of_name(const std::string& symbol, bool integers);
  std::size_t dim_named(const std::string& name);
  std::int64_t size_of(const Axis& axis, const Choice& choice, const Sizes& sizes) const;
  SizeOrigin origin_of(const Axis& axis) const;
  std::string names() const;

  std::vector<SizedInput> inputs_;
  std::vector<Dimension> dims_;
  std::unordered_map<std::string, std::size_t> index_;  // in dims_, by name
  bool leading_open_ = false;                           // of an input that has further axes
  std::vector<Choice> choices_;
};

}  // namespace iosx::onnx_import
