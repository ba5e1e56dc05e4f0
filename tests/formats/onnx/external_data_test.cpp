#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/formats/onnx/read/external_data.h"
#include "tests/formats/onnx/protos.h"

namespace iosx::onnx_import {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

std::string bytes_of(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

// A folder with "weights.bin", the floats 0 to 7, and a model in it whose initializer is kept elsewhere.
class ExternalData : public testing::Test {
 protected:
  ExternalData() { folder_.write("model/weights.bin", bytes_of({0, 1, 2, 3, 4, 5, 6, 7})); }

  static onnx::TensorProto tensor_at(const std::string& location, const std::string& offset, const std::string& length,
                                     std::int64_t elements = 2) {
    onnx::TensorProto tensor = test::bare_tensor("w", {elements}, onnx::TensorProto::FLOAT);
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    const auto add = [&](const char* key, const std::string& value) {
      if (value.empty()) return;
      auto& entry = *tensor.add_external_data();
      entry.set_key(key);
      entry.set_value(value);
    };
    add("location", location);
    add("offset", offset);
    add("length", length);
    return tensor;
  }

  Result<OnnxModel> read(const onnx::TensorProto& tensor) const {
    return read_onnx(folder_.write("model/model.onnx", test::model_with(tensor).SerializeAsString()));
  }
  std::string error_at(const std::string& location) const { return test::error_of(read(tensor_at(location, "", ""))); }

  test::TemporaryFolder folder_;
};

TEST_F(ExternalData, ReadsTheRange) {
  const auto model = read(tensor_at("weights.bin", "8", "8"));
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_THAT(model->initializers.at("w").floats(), ElementsAre(2, 3));
  EXPECT_THAT(read(tensor_at("./weights.bin", "", ""))->initializers.at("w").floats(), ElementsAre(0, 1));
}

TEST_F(ExternalData, ReadsOtherTypes) {
  onnx::TensorProto tensor = tensor_at("weights.bin", "4", "");
  tensor.set_data_type(onnx::TensorProto::INT32);
  const auto model = read(tensor);
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_THAT(model->initializers.at("w").integers(), ElementsAre(0x3f800000, 0x40000000));
}

TEST_F(ExternalData, RefusesRangesThatAreNotThere) {
  EXPECT_THAT(test::error_of(read(tensor_at("weights.bin", "28", "8"))),
              HasSubstr("bytes 28 to 28+8 of the file 'weights.bin', which has 32"));
  EXPECT_THAT(test::error_of(read(tensor_at("weights.bin", "9223372036854775807", ""))), HasSubstr("which has 32"));
  EXPECT_THAT(test::error_of(read(tensor_at("weights.bin", "", "", std::int64_t{1} << 50))), HasSubstr("has 32"));
  EXPECT_THAT(test::error_of(read(tensor_at("weights.bin", "0", "12"))), HasSubstr("need 8 bytes"));
  EXPECT_THAT(test::error_of(read(tensor_at("weights.bin", "-4", "8"))), HasSubstr("not a number of bytes"));
  EXPECT_THAT(test::error_of(read(tensor_at("weights.bin", "0", "8x"))), HasSubstr("not a number of bytes"));
  EXPECT_THAT(test::error_of(read(tensor_at("weights.bin", "18446744073709551615", "8"))), HasSubstr("not a number"));
}

TEST_F(ExternalData, RefusesToLeaveTheFolder) {
  const fs::path outside = folder_.write("secret.bin", bytes_of({1, 2}));
  EXPECT_THAT(error_at(outside.string()), HasSubstr("absolute path"));
  EXPECT_THAT(error_at("../secret.bin"), HasSubstr("outside of the model's folder"));
  EXPECT_THAT(error_at("sub/../../secret.bin"), HasSubstr("outside of the model's folder"));
  fs::create_symlink(outside, folder_.path() / "model" / "link.bin");
  EXPECT_THAT(error_at("link.bin"), HasSubstr("a link out of the model's folder"));
  fs::create_directory_symlink(folder_.path(), folder_.path() / "model" / "up");
  EXPECT_THAT(error_at("up/secret.bin"), HasSubstr("a link out of the model's folder"));
  fs::create_symlink("weights.bin", folder_.path() / "model" / "inside.bin");
  EXPECT_EQ(error_at("inside.bin"), "opened");
}

TEST_F(ExternalData, RefusesWhatIsNoFile) {
  EXPECT_THAT(error_at("absent.bin"), HasSubstr("'absent.bin', which cannot be read: No such file"));
  EXPECT_THAT(error_at("."), HasSubstr("not a regular file"));
  EXPECT_THAT(error_at(""), HasSubstr("no usable location"));
  EXPECT_THAT(error_at(std::string("weights.bin\0x", 13)), HasSubstr("no usable location"));
  EXPECT_THAT(test::error_of(test::parse(test::model_with(tensor_at("weights.bin", "", "")))),
              HasSubstr("the model has no folder"));
}

TEST(SmallIntegers, OfAWholeModelAreKeptUpToALimit) {
  ExternalFolder folder({});
  const std::uint64_t gigabyte = std::uint64_t{1} << 30;
  EXPECT_TRUE(folder.widen(gigabyte));
  EXPECT_FALSE(folder.widen(gigabyte + 8));
  EXPECT_TRUE(folder.widen(gigabyte));
  EXPECT_FALSE(folder.widen(8));
}

TEST_F(ExternalData, RefusesToFillTheMemoryWithOneFile) {
  folder_.write("model/large.bin", std::string(1 << 20, '\0'));
  onnx::ModelProto model = test::model_with(tensor_at("large.bin", "", "", 1 << 18));
  for (int i = 0; i < 3; ++i) {
    *model.mutable_graph()->add_initializer() = model.graph().initializer(0);
    model.mutable_graph()->mutable_initializer(i + 1)->set_name(fmt::format("copy{}", i));
  }
  EXPECT_EQ(test::error_of(test::parse(model, folder_.path() / "model")), "opened");
  for (int i = 3; i < 8; ++i) {
    *model.mutable_graph()->add_initializer() = model.graph().initializer(0);
    model.mutable_graph()->mutable_initializer(i + 1)->set_name(fmt::format("copy{}", i));
  }
  EXPECT_THAT(test::error_of(test::parse(model, folder_.path() / "model")), HasSubstr("too many tensors share"));
}

}  // namespace
}  // namespace iosx::onnx_import
