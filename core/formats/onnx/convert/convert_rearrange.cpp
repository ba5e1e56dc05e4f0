#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "core/formats/onnx/convert/conversion_context.h"
#include "core/formats/onnx/convert/einsum_equation.h"

// Converts operators that are transpositions, sums and matrix products under another name.
namespace iosx::onnx_import {
namespace {

// The attribute mode gives the place of a block of pixels among the channels: before the kept ones (DCR), or after
// them (CRD).
Converted convert_depth_to_space(ConversionContext& call) {
  const DraftValue value = call.value(0);
  const std::int64_t block = call.integer("blocksize", 0);
  const std::string mode = call.text("mode", "DCR");
  if (call.rank(value) != 4) call.bad(message("needs samples x channels x height x width"));
  const std::size_t first = value.shape.rank() - 3;
  const std::int64_t channels = value.shape[first];
  if (block < 1 || block > channels || channels % (block * block) != 0)
    call.bad(message("cannot divide {} channels among blocks of {} x {} pixels", channels, block, block));
  if (mode != "DCR" && mode != "CRD") call.bad(message("has the unknown mode '{}'", mode));
  const std::int64_t left = channels / (block * block);
  const std::int64_t height = value.shape[first + 1];
  const std::int64_t width = value.shape[first + 2];
  const bool depth_first = mode == "CRD";
  Dims split(value.shape.dims().begin(), value.shape.dims().begin() + static_cast<std::ptrdiff_t>(first));
  Dims joined = split;
  const Dims apart = depth_first ? Dims{left, block, block, height, width} : Dims{block, block, left, height, width};
  split.insert(split.end(), apart.begin(), apart.end());
  joined.insert(joined.end(), {left, height * block, width * block});
  const std::vector<std::size_t> order =
      depth_first ? std::vector<std::size_t>{0, 3, 1, 4, 2} : std::vector<std::size_t>{2, 3, 0, 4, 1};
  const DraftValue blocks = call.reshape(value, Shape(split), "blocks");
  return {call.reshape(call.transpose(blocks, order, "interleaved"), Shape(joined), "")};
}

Converted convert_space_to_depth(ConversionContext& call) {
  const DraftValue value = call.value(0);
  const std::int64_t block = call.integer("blocksize", 0);
  if (call.rank(value) != 4) call.bad(message("needs samples x channels x height x width"));
  const std::size_t first = value.shape.rank() - 3;
  const std::int64_t channels = value.shape[first];
  const std::int64_t height = value.shape[first + 1];
  const std::int64_t width = value.shape[first + 2];
  if (block < 1 || height % block != 0 || width % block != 0)
    call.bad(message("cannot cut {} x {} pixels into blocks of {} x {}", height, width, block, block));
  Dims split(value.shape.dims().begin(), value.shape.dims().begin() + static_cast<std::ptrdiff_t>(first));
  Dims joined = split;
  split.insert(split.end(), {channels, height / block, block, width / block, block});
  joined.insert(joined.end(), {channels * block * block, height / block, width / block});
  const DraftValue blocks = call.reshape(value, Shape(split), "blocks");
  return {call.reshape(call.transpose(blocks, {2, 4, 0, 1, 3}, "gathered"), Shape(joined), "")};
}

// A tensor, with the label of each of its axes.
struct Term {
  DraftValue value;
  Labels labels;
};

// Returns the labels of a term; its ellipsis stands for that many axes.
Labels checked_labels(ConversionContext& call, const std::string& term, std::size_t ellipsis) {
  auto labels = labels_of(term, ellipsis);
  if (!labels) call.bad(message("its equation has characters other than letters, commas, ... and one ->"));
  return *std::move(labels);
}

class Einsum {
 public:
  explicit Einsum(ConversionContext& call) : call_(call) {}

  Converted run() {
    read();
    for (std::size_t i = 0; i < terms_.size(); ++i) sum_alone(i);
    return {terms_.size() == 1 ? ordered(terms_.front(), "") : product()};
  }

 private:
  void read() {
    const Equation equation = parse_equation(call_.text("equation", ""));
    if (equation.terms.size() != call_.node().inputs.size())
      call_.bad(message("its equation does not have one term per input"));
    if (equation.terms.size() > 2) call_.unsupported(message("an equation of more than two terms"));
    std::size_t most = 0;
    for (std::size_t i = 0; i < equation.terms.size(); ++i) {
      most = std::max(most, read_term(i, equation.terms[i]));
    }
    output_ = checked_labels(call_, equation.output, most);
    Labels sorted = output_;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
      call_.bad(message("its output has a letter twice"));
    for (const int label : output_) {
      const auto labelled = [&](const Term& term) { return has(term.labels, label); };
      if (!std::any_of(terms_.begin(), terms_.end(), labelled))
        call_.bad(message("its output has a letter that no input has"));
    }
    if (call_.lead() == 1) take_batch_off();
    check_sizes();
    if (output_.size() > Shape::kMaxRank) call_.unsupported(message("its output has {} axes", output_.size()));
  }

  // Returns how many axes the ellipsis stands for.
  std::size_t read_term(std::size_t i, const std::string& term) {
    const HostTensor* const tensor = call_.constant(i);
    // A constant has no batch axis that could be taken off.
    const DraftValue value = tensor != nullptr ? call_.operand(*tensor, tensor->dims().size() + 1) : call_.value(i);
    const std::size_t rank = tensor != nullptr ? tensor->dims().size() : call_.rank(value);
    const std::size_t letters = letters_of(term);
    const bool ellipsis = letters != term.size();
    if (ellipsis ? letters > rank : letters != rank)
      call_.bad(message("its equation names {} axes of input {}, which has {}", letters, i, rank));
    terms_.push_back({value, checked_labels(call_, term, rank - letters)});
    while (take_diagonal(terms_.back())) continue;
    return rank - letters;
  }

  // Reduces a letter of two axes to their diagonal, as its last axis. Returns false without such a letter.
  bool take_diagonal(Term& term) {
    Labels& labels = term.labels;
    // The batch, which the shape does not have, is the first label.
    const std::size_t lead = labels.size() - term.value.shape.rank();
    for (std::size_t one = 0; one < labels.size(); ++one) {
      for (std::size_t other = one + 1; other < labels.size(); ++other) {
        if (labels[one] != labels[other]) continue;
        if (one < lead) call_.mixes_batch(message("its equation has the batch axis twice"));
        move_to_diagonal(term, one, other, lead);
        return true;
      }
    }
    return false;
  }

  void move_to_diagonal(Term& term, std::size_t one, std::size_t other, std::size_t lead) {
    const int label = term.labels[one];
    const std::int64_t size = term.value.shape[one - lead];
    if (term.value.shape[other - lead] != size) call_.bad(message("a letter of its equation stands for two sizes"));
    Labels labels;
    std::vector<std::size_t> order;
    for (std::size_t axis = 0; axis < term.labels.size(); ++axis) {
      if (axis == one || axis == other) continue;
      labels.push_back(term.labels[axis]);
      if (axis >= lead) order.push_back(axis - lead);
    }
    labels.push_back(label);
    order.push_back(one - lead);
    order.push_back(other - lead);
    const DraftValue turned = call_.transpose(term.value, order, "turned");
    Dims dims(turned.shape.dims().begin(), turned.shape.dims().end() - 2);
    dims.push_back(size * size);
    const DraftValue flat = call_.reshape(turned, Shape(dims), "flat");
    Slice slice{std::vector<std::int64_t>(dims.size(), 0), std::vector<std::int64_t>(dims.size(), 1), {}};
    slice.steps.back() = size + 1;
    dims.back() = size;
    slice.shape = Shape(dims);
    term = {call_.add(std::move(slice), {flat}, "diagonal"), std::move(labels)};
  }

  // The batch must be one letter that is first in every term with it.
  void take_batch_off() {
    if (output_.empty()) call_.mixes_batch(message("it sums over the batch axis"));
    const int batch = output_.front();
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      Labels& labels = terms_[i].labels;
      const bool computed = call_.computed(i) != nullptr;
      if (computed != (!labels.empty() && labels.front() == batch) || (!computed && has(labels, batch)))
        call_.mixes_batch(message("its equation does not keep the batch axis first"));
      if (computed) labels.erase(labels.begin());
    }
    output_.erase(output_.begin());
  }

  void check_sizes() {
    for (const Term& term : terms_) {
      for (std::size_t axis = 0; axis < term.labels.size(); ++axis) {
        const std::int64_t size = term.value.shape[axis];
        const auto [found, added] = sizes_.emplace(term.labels[axis], size);
        if (added || found->second == size) continue;
        if (term.labels[axis] >= kEllipsis) {
          call_.unsupported(message("axes of ... that are repeated"));
        } else {
          call_.bad(message("one letter of its equation stands for {} and for {} elements", found->second, size));
        }
      }
    }
  }

  // Sums over what neither the output nor the other term has.
  void sum_alone(std::size_t i) {
    Term& term = terms_[i];
    std::vector<std::size_t> axes;
    Labels left;
    for (std::size_t axis = 0; axis < term.labels.size(); ++axis) {
      const int label = term.labels[axis];
      const bool elsewhere = terms_.size() == 2 && has(terms_[1 - i].labels, label);
      if (elsewhere || has(output_, label)) {
        left.push_back(label);
      } else {
        axes.push_back(axis);
      }
    }
    if (axes.empty()) return;
    term.value = call_.sum(term.value, axes, "sum");
    term.labels = std::move(left);
  }

  // Returns the term's axes in the order of these labels, of which it has each.
  DraftValue ordered(const Term& term, const Labels& labels, std::string_view suffix) {
    std::vector<std::size_t> order;
    for (const int label : labels) {
      const auto at = std::find(term.labels.begin(), term.labels.end(), label);
      order.push_back(static_cast<std::size_t>(at - term.labels.begin()));
    }
    return call_.transpose(term.value, order, suffix);
  }
  DraftValue ordered(const Term& term, std::string_view suffix) { return ordered(term, output_, suffix); }

  std::int64_t size_of(const Labels& labels) const {
    std::int64_t size = 1;
    for (const int label : labels) size *= sizes_.at(label);
    return size;
  }

  // Returns the term under the output's axes, with sizes of 1 where it has none.
  DraftValue aligned(const Term& term) {
    Labels own;
    Dims dims;
    for (const int label : output_) {
      if (has(term.labels, label)) own.push_back(label);
      dims.push_back(has(term.labels, label) ? sizes_.at(label) : 1);
    }
    return call_.reshape(ordered(term, own, "ordered"), Shape(dims), "aligned");
  }

  DraftValue product() {
    Labels shared;   // in both terms and the output
    Labels summed;   // in both terms
    Labels rows;     // in the first alone
    Labels columns;  // in the second alone
    for (const int label : output_) {
      const bool left = has(terms_[0].labels, label);
      const bool right = has(terms_[1].labels, label);
      (left && right ? shared : left ? rows : columns).push_back(label);
    }
    for (const int label : terms_[0].labels) {
      if (!has(output_, label)) summed.push_back(label);
    }
    if (summed.empty()) return call_.add(Mul{}, {aligned(terms_[0]), aligned(terms_[1])});
    const auto matrices = [&](const Term& term, const Labels& first, const Labels& second, const char* suffix) {
      Labels order = shared;
      order.insert(order.end(), first.begin(), first.end());
      order.insert(order.end(), second.begin(), second.end());
      Dims dims{size_of(first), size_of(second)};
      if (!shared.empty()) dims.insert(dims.begin(), size_of(shared));
      return call_.reshape(ordered(term, order, suffix), Shape(dims), suffix);
    };
    const DraftValue left = matrices(terms_[0], rows, summed, "left");
    const DraftValue right = matrices(terms_[1], summed, columns, "right");
    Labels order = shared;
    order.insert(order.end(), rows.begin(), rows.end());
    order.insert(order.end(), columns.begin(), columns.end());
    Dims dims;
    for (const int label : order) dims.push_back(sizes_.at(label));
    const DraftValue made = call_.reshape(call_.add(MatMul{}, {left, right}, "product"), Shape(dims), "");
    return ordered({made, order}, "");
  }

  ConversionContext& call_;
  std::vector<Term> terms_;
  Labels output_;
  std::map<int, std::int64_t> sizes_;
};

Converted convert_einsum(ConversionContext& call) { return Einsum(call).run(); }

constexpr std::array kRearrangeConverters{
    Converter{"DepthToSpace", convert_depth_to_space},
    Converter{"Einsum", convert_einsum},
    Converter{"SpaceToDepth", convert_space_to_depth},
};

}  // namespace

std::span<const Converter> rearrange_converters() { return kRearrangeConverters; }

}  // namespace iosx::onnx_import
