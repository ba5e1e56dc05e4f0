#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "core/formats/onnx/convert/conversion_context.h"
#include "core/formats/onnx/convert/model_converter.h"
#include "core/formats/onnx/convert/not_executed.h"

namespace iosx::onnx_import {

// A sequence of tensors whose number is known. Copies share the tensors.
using Sequence = std::shared_ptr<const std::vector<Known>>;
using Carried = std::variant<Known, Sequence>;  // what goes into and out of a graph inside a node

inline constexpr double kMostFlops = 1e10;  // of all constants that are computed: a second or a few

// One walk over the nodes of a model; see walk(). Each part has a source of its own.
class ModelConverter {
 public:
  ModelConverter(const OnnxModel& model, const OnnxOptions& options, const Sizes& sizes,
                 std::optional<std::int64_t> batch)
      : model_(model), options_(options), sizes_(sizes), import_{model,
                                                                 batch.has_value(),
                                                                 batch.value_or(1),
                                                                 Draft(options.memory),
                                                                 {},
                                                                 {}} {}

  ConvertedModel run() &&;

 private:
  [[noreturn]] static void bad(Message what, std::string where, Message remedy = {}) {
    throw Refusal{Refusal::Kind::kBad, {std::move(what), std::move(where), std::move(remedy)}};
  }
  [[noreturn]] static void mixes_batch(Message what, std::string where) {
    throw Refusal{Refusal::Kind::kMixesBatch, {std::move(what), std::move(where), {}}};
  }
  // Returns the result's value; its error is bad, at this place.
  template <typename T>
  static T taken(Result<T> result, const std::string& where, const Message& remedy = {}) {
    if (!result) bad(std::move(result.error().what), where, remedy);
    if constexpr (!std::is_void_v<T>) return *std::move(result);
  }

  void count_reads();
  // Forgets tensors that nothing reads any more.
  void release(const Node& node);
  void forget(const std::string& name);
  void remember(const std::string& name, Carried item);
  bool is_remembered(const std::string& name) const;
  std::optional<Carried> remembered(const std::string& name) const;

  // Returns sizes of the declared shape of a tensor that nothing here computes.
  Dims sizes(const std::vector<Dim>& dims, const std::string& tensor);
  void take_inputs();
  // Returns the shape without the batch axis, where that is taken off.
  Result<Shape> own_shape(std::span<const std::int64_t> dims) const;
  void take(const Node& node);
  // While a refusal is handled: goes on with it where the node has to be as it says.
  void take_refused(const Node& node, const Refusal& refusal);
  void fold_node(const Node& node, const std::vector<const HostTensor*>& inputs);
  // Parts of tensors that have no elements are constants, whatever the tensors are. Returns false
  // where the node does not only move elements, or yields some.
  bool know_empty(const Node& node);
  // Takes what a node yields, from its first output on.
  void know(const Node& node, std::vector<HostTensor> results);
  void keep(const Node& node, const Converted& outputs);
  void take_outputs();
  void warn();

  // If and Loop (control_flow.cpp).

  void take_if(const Node& node);
  // Returns the outputs of the branch that replaces the node, one per output of the node; none if
  // it cannot be read.
  std::vector<Carried> take_branch(const Node& node, bool condition);
  // Returns the outputs of a graph inside the node that stands for it, with these inputs; so many
  // at least.
  std::vector<Carried> take_body(const Node& node, const Subgraphs& subgraphs, std::span<const Carried> inputs,
                                 std::size_t outputs);
  // A condition that is computed chooses between the results of both branches, where they can be
  // computed with the same sizes. Otherwise the node stays one that cannot be executed, and other
  // sizes may do better.
  void take_both(const Node& node, const DraftValue& condition);
  // A Loop whose trips follow from constants is its body as often, one after another.
  void take_loop(const Node& node);
  // The inputs are the most trips, a condition, and what the body carries from trip to trip. The
  // body's outputs are a condition, what it carries, and what the loop stacks.
  void unroll(const Node& node, const Subgraphs& body);
  void choose_results(const Node& node, const DraftValue& condition);
  // Does it, or undoes what it began and returns why it was refused. Where samples were mixed the
  // refusal goes on.
  template <typename Make>
  std::optional<Message> attempted(Make make);

  // Sequences of tensors (tensor_sequences.cpp).

  // Takes an operator on sequences whose numbers of tensors and positions are known. Returns false
  // of others, and where the sequence is a result of the model.
  bool take_sequence(const Node& node);
  // Returns which of so many positions an input says; without it the last one.
  static std::optional<std::size_t> position_in(const ConversionContext& call, std::size_t input,
                                                std::int64_t positions);
  // Returns what SplitToSequence makes of a tensor of known size; none where its sizes are not constant.
  std::optional<std::vector<Known>> pieces_of(ConversionContext& call);
  // Squeezes or unsqueezes one axis.
  static Known with_axis(ConversionContext& call, std::string_view op_type, Known tensor, std::int64_t axis);
  static Known tensor_of(const ConversionContext& call, const Carried& item);
  // Joins tensors along an axis, which may be a new one.
  static Known joined(ConversionContext& call, std::vector<std::optional<Known>> parts, std::int64_t axis, bool stack);

  // Nodes that no device executes (opaque_nodes.cpp).

  // The result of unreadable constants is unreadable too, for the same reason, and takes as many
  // bytes, or as many as its part of the elements. Returns false where its shape is not known, or
  // it is a result of the model.
  bool pass_unreadable(const Node& node, const std::vector<const HostTensor*>& inputs);
  // The sizes of a tensor of unknown shape are unreadable.
  void pass_unknown_dims(const Node& node, std::size_t rank);
  std::int64_t opset_of(const Node& node) const;
  // Returns what is known of a node's inputs.
  std::vector<TensorFacts> facts_of(const Node& node);
  // Returns null for a tensor that is constant, or not there.
  const DraftValue* computed(const std::string& name) const;
  // Returns whether the value's shape is made up, or follows from one that is.
  bool is_guess(const DraftValue& value);
  // Returns whether a made-up shape may be why the node does not fit its inputs.
  bool rests_on_guess(const Node& node);
  // Makes one Opaque for each output that is read. The first has the cost and reads the inputs; the
  // others stand after what they read a little of.
  void make_opaque(const Node& node, const Message& why);
  // A run's FLOPs are those of all samples; every sample reads the same weights.
  void take_cost(const NotExecuted& found, Opaque& opaque) const;
  // Sizes that are inferred, or else declared; any for those that are neither, which makes the
  // shape a guess.
  Result<Shape> opaque_shape(const ValueInfo* info, const TensorFacts& inferred, bool& guessed);
  // Returns null for a tensor that the file does not declare.
  const ValueInfo* declaration_of(const std::string& name) const;
  bool is_sized(const std::vector<Dim>& dims) const;

  const OnnxModel& model_;
  const OnnxOptions& options_;
  const Sizes& sizes_;
  Import import_;
  std::unordered_map<std::string, Sequence> sequences_;  // by name
  std::unordered_map<std::string, const ValueInfo*> declared_;
  std::unordered_set<std::string> results_;                        // names of the model's outputs
  std::unordered_map<std::string, std::size_t> node_of_;           // by tensor: Draft::node that yielded it
  std::set<std::string> open_;                                     // axes of unknown size
  std::map<std::string, std::pair<std::size_t, Message>> opaque_;  // by type: how many, and the first
  std::vector<std::string> noted_;                                 // their types, one after another
  std::size_t unknown_shapes_ = 0;
  std::vector<bool> guessed_;      // by operator of the draft: whether its shape was made up, or follows from one
  std::size_t guesses_known_ = 0;  // how many of them were looked at
  std::size_t branches_ = 0;       // that stand for their nodes
  std::size_t unrolled_ = 0;       // nodes of the trips of loops
  std::size_t unrolled_bytes_ = 0;
  double flops_left_ = kMostFlops;
  std::size_t both_ = 0;  // nodes that both branches stand for
  bool fits_ = true;
  std::vector<Message> warnings_;
};

}  // namespace iosx::onnx_import
