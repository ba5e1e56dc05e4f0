#include "core/formats/onnx/read/tensor_data.h"
#include "tests/formats/onnx/protos.h"
#include "tests/support/prelude.h"

namespace iosx::onnx_import {
namespace {

using onnx::TensorProto;
using test::error_of;
using test::model_with;
using test::parse;
using test::raw_tensor;

// What an initializer is read as.
HostTensor read(TensorProto tensor) {
  tensor.set_name("w");
  return must(parse(model_with(tensor))).initializers.at("w");
}

std::string error_for(TensorProto tensor) {
  tensor.set_name("w");
  return error_of(parse(model_with(tensor)));
}

TEST(TensorData, ReadsRawDataOfEveryType) {
  EXPECT_THAT(read(raw_tensor<float>("", {2}, TensorProto::FLOAT, {1.5F, -2})).floats(), ElementsAre(1.5F, -2));
  EXPECT_THAT(read(raw_tensor<double>("", {2}, TensorProto::DOUBLE, {0.1, 1e300})).floats(),
              ElementsAre(0.1F, std::numeric_limits<float>::infinity()));
  EXPECT_THAT(read(raw_tensor<std::uint16_t>("", {2}, TensorProto::FLOAT16, {0x3c00, 0xc000})).floats(),
              ElementsAre(1, -2));
  EXPECT_THAT(read(raw_tensor<std::uint16_t>("", {2}, TensorProto::BFLOAT16, {0x3f80, 0xc000})).floats(),
              ElementsAre(1, -2));
  EXPECT_THAT(read(raw_tensor<std::int8_t>("", {2}, TensorProto::INT8, {-128, 127})).integers(),
              ElementsAre(-128, 127));
  EXPECT_THAT(read(raw_tensor<std::uint8_t>("", {1}, TensorProto::UINT8, {255})).integers(), ElementsAre(255));
  EXPECT_THAT(read(raw_tensor<std::int16_t>("", {1}, TensorProto::INT16, {-300})).integers(), ElementsAre(-300));
  EXPECT_THAT(read(raw_tensor<std::uint16_t>("", {1}, TensorProto::UINT16, {65535})).integers(), ElementsAre(65535));
  EXPECT_THAT(read(raw_tensor<std::int32_t>("", {1}, TensorProto::INT32, {-70000})).integers(), ElementsAre(-70000));
  EXPECT_THAT(read(raw_tensor<std::uint32_t>("", {1}, TensorProto::UINT32, {0xffffffffU})).integers(),
              ElementsAre(0xffffffff));
  EXPECT_THAT(read(raw_tensor<std::int64_t>("", {1}, TensorProto::INT64, {INT64_MIN})).integers(),
              ElementsAre(INT64_MIN));
  EXPECT_THAT(read(raw_tensor<std::uint64_t>("", {1}, TensorProto::UINT64, {7})).integers(), ElementsAre(7));
  EXPECT_THAT(read(raw_tensor<std::uint8_t>("", {3}, TensorProto::BOOL, {0, 1, 2})).integers(), ElementsAre(0, 1, 1));
}

TEST(TensorData, ReadsTypedFields) {
  const auto with_int32 = [](TensorProto::DataType type, std::int32_t value) {
    TensorProto tensor = test::bare_tensor("", {1}, type);
    tensor.add_int32_data(value);
    return read(tensor);
  };
  EXPECT_THAT(with_int32(TensorProto::FLOAT16, 0x3c00).floats(), ElementsAre(1));
  EXPECT_THAT(with_int32(TensorProto::BFLOAT16, 0xc000).floats(), ElementsAre(-2));
  EXPECT_THAT(with_int32(TensorProto::INT8, -3).integers(), ElementsAre(-3));
  EXPECT_THAT(with_int32(TensorProto::UINT8, 200).integers(), ElementsAre(200));
  EXPECT_THAT(with_int32(TensorProto::UINT16, 60000).integers(), ElementsAre(60000));
  EXPECT_THAT(with_int32(TensorProto::BOOL, 1).integers(), ElementsAre(1));
  TensorProto doubles = test::bare_tensor("", {1}, TensorProto::DOUBLE);
  doubles.add_double_data(0.5);
  EXPECT_THAT(read(doubles).floats(), ElementsAre(0.5F));
  TensorProto unsigned_integers = test::bare_tensor("", {1}, TensorProto::UINT32);
  unsigned_integers.add_uint64_data(4'000'000'000);
  EXPECT_THAT(read(unsigned_integers).integers(), ElementsAre(4'000'000'000));
}

TEST(TensorData, ReadsScalarsAndEmptyTensors) {
  EXPECT_THAT(read(test::float_tensor("", {}, {2})).dims(), ElementsAre());
  EXPECT_EQ(read(test::float_tensor("", {}, {2})).elements(), 1);
  EXPECT_EQ(read(test::float_tensor("", {0, 1'000'000'000}, {})).elements(), 0);
}

TEST(TensorData, KeepsUnsupportedTypesOpaque) {
  TensorProto text = test::bare_tensor("", {1}, TensorProto::STRING);
  text.add_string_data("text");
  EXPECT_THAT(std::string(read(text).why_opaque()), HasSubstr("string"));
  TensorProto small_float = raw_tensor<std::uint8_t>("", {4}, TensorProto::FLOAT, {1, 2, 3, 4});
  small_float.set_data_type(17);  // float8e4m3fn, newer than the messages
  const HostTensor opaque = read(small_float);
  EXPECT_TRUE(opaque.is_opaque());
  EXPECT_THAT(opaque.dims(), ElementsAre(4));
  EXPECT_THAT(std::string(opaque.why_opaque()), HasSubstr("17"));
  EXPECT_TRUE(read(raw_tensor<std::uint64_t>("", {1}, TensorProto::UINT64, {UINT64_MAX})).is_opaque());
  const std::int64_t too_many = (std::int64_t{1} << 28) + 1;  // which are not there either
  EXPECT_TRUE(read(raw_tensor<std::int8_t>("", {too_many}, TensorProto::INT8, {})).is_opaque());
}

TEST(TensorData, KeepsTheWeightsOfQuantisedNetworks) {
  const std::vector<std::int8_t> many(9'000'000, -3);
  const HostTensor kept = read(raw_tensor("", {3000, 3000}, TensorProto::INT8, many));
  ASSERT_TRUE(kept.holds_integers());
  EXPECT_EQ(kept.integers().back(), -3);
}

TEST(TensorData, RefusesDataThatDoesNotFitTheDims) {
  EXPECT_THAT(error_for(test::float_tensor("", {4}, {1, 2, 3})),
              HasSubstr("initializer 'w': its dims need 4 elements, but its data has 3"));
  EXPECT_THAT(error_for(raw_tensor<float>("", {4}, TensorProto::FLOAT, {1, 2, 3})), HasSubstr("need 16 bytes"));
  EXPECT_THAT(error_for(raw_tensor<std::uint8_t>("", {1}, TensorProto::FLOAT, {1, 2, 3})), HasSubstr("need 4 bytes"));
  EXPECT_THAT(error_for(test::float_tensor("", {0}, {1})), HasSubstr("need 0 elements"));
  // a terabyte that is not there
  EXPECT_THAT(error_for(test::float_tensor("", {1'000'000, 1'000'000}, {})), HasSubstr("but its data has 0"));
  EXPECT_THAT(error_for(test::int_tensor("", {1'000'000'000}, {1})), HasSubstr("but its data has 1"));
}

TEST(TensorData, RefusesImpossibleDims) {
  EXPECT_THAT(error_for(test::float_tensor("", {-1}, {})), HasSubstr("negative or too large"));
  EXPECT_THAT(error_for(test::float_tensor("", {INT64_MAX, INT64_MAX}, {})), HasSubstr("negative or too large"));
  EXPECT_THAT(error_for(test::float_tensor("", {INT64_MAX}, {})), HasSubstr("negative or too large"));
  EXPECT_THAT(error_for(test::float_tensor("", std::vector<std::int64_t>(65, 1), {1})), HasSubstr("has 65 dims"));
}

TEST(TensorData, RefusesSegments) {
  TensorProto tensor = test::float_tensor("", {1}, {1});
  tensor.mutable_segment()->set_begin(0);
  EXPECT_THAT(error_for(tensor), HasSubstr("cut into segments"));
}

TEST(TensorData, MakesSparseInitializersDense) {
  onnx::ModelProto model = model_with(test::float_tensor("bias", {2}, {0, 0}));
  auto& sparse = *model.mutable_graph()->add_sparse_initializer();
  *sparse.mutable_values() = test::float_tensor("sparse", {2}, {5, 6});
  *sparse.mutable_indices() = test::int_tensor("", {2, 2}, {0, 1, 1, 2});
  sparse.add_dims(2);
  sparse.add_dims(3);
  EXPECT_THAT(must(parse(model)).initializers.at("sparse").floats(), ElementsAre(0, 5, 0, 0, 0, 6));
  *sparse.mutable_indices() = test::int_tensor("", {2}, {0, 3});
  EXPECT_THAT(parse(model)->initializers.at("sparse").floats(), ElementsAre(5, 0, 0, 6, 0, 0));
  *sparse.mutable_indices() = test::int_tensor("", {2}, {0, 6});
  EXPECT_THAT(error_of(parse(model)), HasSubstr("outside of its dims"));
  *sparse.mutable_indices() = test::int_tensor("", {3}, {0, 1, 2});
  EXPECT_THAT(error_of(parse(model)), HasSubstr("do not match"));
  sparse.set_dims(0, 1 << 30);
  EXPECT_THAT(error_of(parse(model)), HasSubstr("it is sparse and has"));
}

TEST(Half, ConvertsEveryFloat16ThereAndBack) {
  for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float value = float_of_float16(half);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(float_of_float16(float16_of_float(value))));
    } else {
      ASSERT_EQ(float16_of_float(value), half) << bits;
    }
  }
  EXPECT_EQ(float_of_float16(0x3555), 0.333251953125F);
  EXPECT_EQ(float_of_float16(0x0001), 0x1p-24F);
  EXPECT_EQ(float_of_float16(0x7bff), 65504.0F);
}

TEST(Half, RoundsToTheNearestEven) {
  EXPECT_EQ(float16_of_float(1 + 0x1p-11F), 0x3c00);             // half way: to even
  EXPECT_EQ(float16_of_float(1 + 0x1p-11F + 0x1p-20F), 0x3c01);  // beyond
  EXPECT_EQ(float16_of_float(1 + 3 * 0x1p-11F), 0x3c02);
  EXPECT_EQ(float16_of_float(65519), 0x7bff);
  EXPECT_EQ(float16_of_float(65520), 0x7c00);  // infinity
  EXPECT_EQ(float16_of_float(0x1p-25F), 0);
  EXPECT_EQ(float16_of_float(0x1.8p-25F), 1);
  EXPECT_EQ(bfloat16_of_float(1 + 0x1p-8F), 0x3f80);
  EXPECT_EQ(bfloat16_of_float(1 + 3 * 0x1p-8F), 0x3f82);
  EXPECT_TRUE(std::isnan(float_of_bfloat16(bfloat16_of_float(std::nanf("")))));
}

namespace fs = std::filesystem;

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
  EXPECT_THAT(must(read(tensor_at("weights.bin", "8", "8"))).initializers.at("w").floats(), ElementsAre(2, 3));
  EXPECT_THAT(read(tensor_at("./weights.bin", "", ""))->initializers.at("w").floats(), ElementsAre(0, 1));
}

TEST_F(ExternalData, ReadsOtherTypes) {
  onnx::TensorProto tensor = tensor_at("weights.bin", "4", "");
  tensor.set_data_type(onnx::TensorProto::INT32);
  EXPECT_THAT(must(read(tensor)).initializers.at("w").integers(), ElementsAre(0x3f800000, 0x40000000));
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
