#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/model/graph/attributes.h"
#include "core/model/layout/tensor_ref.h"
#include "gpu/runtime/interface.h"

namespace iosx::gpu {

// How products are computed. kTf32 and kStrict are for float32 tensors: kTf32 rounds factors to 10 bits of mantissa
// for the tensor cores, kStrict allows no rounding below float32.
enum class Math { kTf32, kStrict, kHalf, kBfloat16 };
DataType data_type(Math math);

// The layout of channels-last pixels in a larger tensor. Sizes are in elements.
struct PixelLayout {
  std::int64_t pitch = 0;       // from one pixel to the next: the channels of the whole buffer
  std::int64_t alignment = 16;  // in bytes, of every pixel's first channel: a power of two, at most 16
  friend bool operator==(const PixelLayout&, const PixelLayout&) = default;
};

// A convolution with everything on which cuDNN's choice depends: y = activation(before(x) ⋆ w + bias + residual),
// activations NHWC, filters KRSC (transposed: K counts channels of x, C those of y), all of one type, sums float32. A
// linear layer is a 1×1 convolution of one pixel.
struct ConvProblem {
  bool transposed = false;  // ConvTranspose: the gradient of a convolution with respect to its input
  Math math = Math::kTf32;
  std::int64_t batch = 1;
  std::int64_t channels = 0;      // of x
  Extent input;                   // pixels of x
  std::int64_t out_channels = 0;  // of y
  Extent output;                  // pixels of y
  Extent kernel;
  Extent stride;
  Extent dilation;
  Extent padding{0, 0};      // before the first pixel
  Extent padding_end{0, 0};  // after the last one; may be negative
  std::int64_t groups = 1;
  PixelLayout x;
  PixelLayout y;
  bool bias = false;
  bool residual = false;
  PixelLayout z;  // of the residual, if any
  Activation activation = Activation::kIdentity;
  Activation before = Activation::kIdentity;  // of x, without its padding

  friend bool operator==(const ConvProblem&, const ConvProblem&) = default;
};

// Returns whether libraries fuse the activation into their fastest plans. They fuse others often only into general
// ones, so that a kernel of ours after a fast plan may win.
bool fuses_well(const Activation& activation);

// The layout of a batch of matrices. Strides are in elements; one of 0 repeats the matrix for the batch.
struct MatrixLayout {
  std::int64_t batch = 0;
  std::int64_t row = 0;
  std::int64_t column = 1;
  std::int64_t alignment = 16;  // in bytes, of every matrix and line of elements that lie together: at most 16
  friend bool operator==(const MatrixLayout&, const MatrixLayout&) = default;
};

// Matrix products with everything on which a library's choice depends: y = a · b for each of a batch, all of one type,
// sums float32.
struct MatMulProblem {
  Math math = Math::kTf32;
  std::int64_t batch = 1;
  std::int64_t rows = 1;     // of a and y
  std::int64_t depth = 1;    // columns of a, rows of b
  std::int64_t columns = 1;  // of b and y
  MatrixLayout a;
  MatrixLayout b;
  MatrixLayout y;

  friend bool operator==(const MatMulProblem&, const MatMulProblem&) = default;
};

// Attention: y = softmax(scale · q k) v for each of a batch, the softmax over a row of scores. The products are those
// of computing it in steps, with scores in scratch memory.
struct AttentionProblem {
  MatMulProblem scores;  // a: q, b: k
  float scale = 1;
  MatMulProblem context;  // a: the softmax of the scores, b: v

  friend bool operator==(const AttentionProblem&, const AttentionProblem&) = default;
};

// A library computes one of these.
using Problem = std::variant<ConvProblem, MatMulProblem, AttentionProblem>;
Math math_of(const Problem& problem);

// Return a key for caches, equal exactly for equal problems: short, readable, without spaces at its ends.
std::string key_of(const ConvProblem& problem);
std::string key_of(const MatMulProblem& problem);
std::string key_of(const AttentionProblem& problem);
std::string key_of(const Problem& problem);

// Device addresses; null where the problem has no such operand. x, w, bias and residual are only read.
struct Operands {
  const void* x = nullptr;        // a of products, q of attention
  const void* weights = nullptr;  // dense; b of products, k of attention
  const void* bias = nullptr;     // of the problem's data type
  const void* residual = nullptr;
  void* y = nullptr;
  void* workspace = nullptr;     // of the plan's workspace_bytes, aligned to 256; not shared with concurrent work
  const void* values = nullptr;  // v of attention
};

// A library's way to compute a problem. It is immutable and thread-safe.
class LibraryPlan : public Interface {
 public:
  virtual const Problem& problem() const = 0;
  virtual const std::string& name() const = 0;  // "cuDNN engine 41, tensor cores"; unique among the plans of a problem
  virtual std::int64_t workspace_bytes() const = 0;
  // Returns the shared memory of a thread block in bytes, which leaves neighbours less; 0: the library does not tell.
  virtual std::int64_t shared_bytes() const { return 0; }
  // Returns the data for KernelLibrary::restore(); empty if the plan cannot be stored.
  virtual std::string serialised() const = 0;
  // Returns whether it was compiled when it was built.
  virtual bool compiled() const { return false; }
};

using LibraryPlanPtr = std::shared_ptr<const LibraryPlan>;

// How much time a library may spend on the plans of a problem. Some plans are compiled when they are built, which
// takes half a second or more each.
enum class Effort {
  kQuick,        // the first plan that builds without compilation
  kPrecompiled,  // all plans that build without compilation
  kAll
};

class TrialLog;

// Computes convolutions and matrix products on one device. It is not thread-safe.
class KernelLibrary : public Interface {
 public:
  // Returns "cuDNN 9.19.0". Plans of other versions are not restored.
  virtual const std::string& version() const = 0;
  // Returns whether the activation can be part of a convolution. Others need a kernel of their own.
  virtual bool fuses(const Activation& activation) const = 0;
  void set_effort(Effort effort) { effort_ = effort; }
  Effort effort() const { return effort_; }
  // Records plans that are built or run for the first time, and skips those that ended a process; null: no log. The log
  // must outlive this.
  void set_trials(TrialLog* trials) { trials_ = trials; }
  TrialLog* trials() const { return trials_; }
  // Returns the plans that this effort can build, in the library's order of preference. Empty if there are none, for
  // example for an unsupported alignment or type.
  virtual std::vector<LibraryPlanPtr> plans(const Problem& problem) = 0;
  // Returns null if the text is of another library version or device, or is damaged.
  virtual LibraryPlanPtr restore(const Problem& problem, const std::string& serialised) = 0;
  // Returns the library's last reason for a refusal, for messages where nothing could be built.
  const std::string& refusal() const { return refusal_; }

 protected:
  void set_refusal(std::string words) { refusal_ = std::move(words); }

 private:
  std::string refusal_;
  Effort effort_ = Effort::kAll;
  TrialLog* trials_ = nullptr;
};

}  // namespace iosx::gpu
