#pragma once

#include <cstdint>
#include <string>
#include <vector>

// ONNX models for tests that do not see ONNX's own classes, written byte for byte.
namespace iosx::test {

struct OpenInput {
  std::string name;
  std::vector<std::string> axes;  // each a size, or the name of what the file leaves open
  int type = 1;                   // ONNX's number: 1 float32, 7 int64
};

// A model of opset 17 whose inputs go through a Relu each, to outputs "NAME/out"; and, where they are there `twice`,
// the same values as further outputs "NAME/again".
std::string open_model(const std::vector<OpenInput>& inputs, bool twice = false);

}  // namespace iosx::test
