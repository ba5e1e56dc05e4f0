#pragma once

#include <dnnl.hpp>
#include <functional>
#include <memory>
#include <vector>

#include "core/model/graph/activation.h"
#include "core/model/layout/tensor_ref.h"

// Wraps oneDNN. Its exceptions (dnnl::error) pass through; the device catches them at its edge.
namespace iosx::cpu {

// A piece of a kernel's work, done on the calling thread's team.
using Step = std::function<void()>;

struct Argument {
  int index = 0;  // DNNL_ARG_...
  dnnl::memory memory;
  std::shared_ptr<const void> owner = {};  // keeps the memory alive, if necessary
};

// Returns a step that executes the primitive with these arguments, without the look-ups and copies of
// dnnl::primitive::execute().
Step call(const dnnl::primitive& primitive, const dnnl::stream& stream, std::vector<Argument> arguments);

dnnl::memory::data_type data_type(DataType type);

// Describes the tensor's dims and strides; in plain formats, which fast implementations look for, where it is dense.
dnnl::memory::desc desc_of(const TensorRef& tensor);
// Describes the same dims in the format that the implementation prefers.
dnnl::memory::desc any_format(const dnnl::memory::desc& desc);
dnnl::memory memory_of(const TensorRef& tensor, const dnnl::engine& engine);

void append(dnnl::post_ops& post_ops, const Activation& activation);

// Returns whether this is a reference implementation of oneDNN: a loop a thousand times slower than the others.
bool is_reference(const char* implementation);

}  // namespace iosx::cpu
