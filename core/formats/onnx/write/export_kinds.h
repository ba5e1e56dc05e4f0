#pragma once

#include "core/formats/onnx/write/export_graph.h"

namespace iosx::onnx_import {

// Writes the export's current operator.
struct GraphExport::Kinds {
  GraphExport& to;

  void otherwise() const;  // cannot

  void operator()(const Input& input) const;
  void operator()(const Constant& constant) const;
  void operator()(const Conv& conv) const;
  void operator()(const ConvTranspose& conv) const;
  void operator()(const Pool& pool) const;
  void operator()(const Activate& activate) const;
  void operator()(const Affine& affine) const;
  void operator()(const Add& add) const;
  void operator()(const Mul& mul) const;
  void operator()(const Binary& binary) const;
  void operator()(const Where& where) const;
  void operator()(const Concat& concat) const;
  void operator()(const Identity& identity) const;
  void operator()(const Linear& linear) const;
  void operator()(const MatMul& matmul) const;
  void operator()(const Recurrent& recurrent) const;
  void operator()(const TopK& top) const;
  void operator()(const GridSample& sample) const;
  void operator()(const Reshape& reshape) const;
  void operator()(const Transpose& transpose) const;
  void operator()(const Slice& slice) const;
  void operator()(const Pad& pad) const;
  void operator()(const Resize& resize) const;
  void operator()(const Softmax& softmax) const;
  void operator()(const Lrn& lrn) const;
  void operator()(const Expand& expand) const;
  void operator()(const Gather& gather) const;
  void operator()(const Normalize& normalize) const;
  void operator()(const Reduce& reduce) const;

  void linear_by_place(const Linear& linear) const;  // whose axis is not the first
};

}  // namespace iosx::onnx_import
