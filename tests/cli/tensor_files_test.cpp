#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/cli/process.h"

// NumPy files in and out, and ONNX models that hold the same network.
namespace iosx::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

bool has_cpu() {
  return iosx({"run", "sample", "--schedule", "sequential", "--device", "cpu", "--repeat", "1"}).exit_code == 0;
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A NumPy file of version 1.0 with so many elements of one value.
template <typename T = float>
std::string npy(const std::string& shape, std::size_t elements, const std::string& type = "<f4", T value = T(0.5)) {
  std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
  header.append((64 - (10 + header.size() + 1) % 64) % 64, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 0xFF);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  for (std::size_t i = 0; i < elements; ++i) bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
  return bytes;
}

constexpr std::size_t kSampleInput = 375UL * 15 * 15;
constexpr std::size_t kHeader = 128;  // bytes, of the files that we write

std::vector<float> elements_of(const std::string& file) {
  std::vector<float> elements((file.size() - kHeader) / sizeof(float));
  std::memcpy(elements.data(), file.data() + kHeader, elements.size() * sizeof(float));
  return elements;
}

TEST(TensorFiles, HoldTheOutputOfTheInput) {
  if (!has_cpu()) GTEST_SKIP() << "built without the CPU device";
  const TemporaryFolder folder;
  const std::string input = folder.write("in.npy", npy("(1, 375, 15, 15)", kSampleInput));
  const auto run = [&](const std::string& graph, const std::string& out) {
    const Finished done = iosx({"run", graph, "--schedule", "sequential", "--device", "cpu", "--repeat", "1", "--input",
                                input, "--output-dir", folder.file(out), "--json"});
    EXPECT_EQ(done.exit_code, 0) << done.err;
    const auto outputs = done.json().at("outputs");
    EXPECT_EQ(outputs.size(), 1U);
    return bytes_of(outputs.at(0).at("file").get<std::string>());
  };
  const std::string direct = run("sample", "direct");
  EXPECT_THAT(direct, StartsWith(std::string("\x93NUMPY\x01\x00", 8)));
  EXPECT_THAT(direct.substr(0, kHeader), HasSubstr("(1, 1875, 15, 15)"));
  ASSERT_EQ(direct.size(), kHeader + 1875UL * 15 * 15 * sizeof(float));
  EXPECT_THAT(elements_of(direct), Contains(testing::Gt(0.1F)));

  // The same network from an ONNX model.
  const std::string model = folder.file("sample.onnx");
  const Finished converted = iosx({"convert", "sample", "-o", model, "--json"});
  ASSERT_EQ(converted.exit_code, 0) << converted.err;
  EXPECT_EQ(converted.json().at("format"), "onnx");
  const std::string imported = run(model, "imported");
  ASSERT_EQ(imported.size(), direct.size());
  EXPECT_EQ(imported.substr(0, kHeader), direct.substr(0, kHeader));
  // Each process tries for itself which way of a convolution is fastest, and the ways round differently.
  EXPECT_THAT(elements_of(imported), testing::Pointwise(testing::FloatNear(1e-4F), elements_of(direct)));
}

TEST(TensorFiles, OfAnyIntegersHoldTheSame) {
  if (!has_cpu()) GTEST_SKIP() << "built without the CPU device";
  const TemporaryFolder folder;
  const auto output = [&](const std::string& input) {
    const std::string file = folder.write("in.npy", input);
    const Finished done = iosx({"run", "sample", "--schedule", "sequential", "--device", "cpu", "--repeat", "1",
                                "--no-store", "--input", file, "--output-dir", folder.file("out")});
    EXPECT_EQ(done.exit_code, 0) << done.err;
    return bytes_of(folder.file("out") + "/output_0.npy");
  };
  const std::string shape = "(1, 375, 15, 15)";
  const std::string right = output(npy<float>(shape, kSampleInput, "<f4", -3));
  EXPECT_EQ(output(npy<std::int8_t>(shape, kSampleInput, "|i1", -3)), right);
  EXPECT_EQ(output(npy<std::int16_t>(shape, kSampleInput, "<i2", -3)), right);
  EXPECT_EQ(output(npy<std::int32_t>(shape, kSampleInput, "<i4", -3)), right);
  EXPECT_EQ(output(npy<std::int64_t>(shape, kSampleInput, "<i8", -3)), right);
  EXPECT_EQ(output(npy<std::uint32_t>(shape, kSampleInput, "<u4", 3)),
            output(npy<float>(shape, kSampleInput, "<f4", 3)));
}

TEST(TensorFiles, ThatDoNotFitAreRefused) {
  if (!has_cpu()) GTEST_SKIP() << "built without the CPU device";
  const TemporaryFolder folder;
  const auto error_with = [&](const std::string& bytes) {
    const Finished done = iosx({"run", "sample", "--schedule", "sequential", "--device", "cpu", "--repeat", "1",
                                "--input", folder.write("in.npy", bytes), "--output-dir", folder.file("out")});
    EXPECT_EQ(done.exit_code, 1);
    return done.err;
  };
  EXPECT_THAT(error_with("nonsense"), HasSubstr("NumPy"));
  EXPECT_THAT(error_with(""), HasSubstr("NumPy"));
  EXPECT_THAT(error_with(npy("(1, 375, 15, 14)", 0)), HasSubstr("(1, 375, 15, 15)"));
  EXPECT_THAT(error_with(npy("(1, 375, 15, x)", 0)), HasSubstr("header"));
  EXPECT_THAT(error_with(npy("(1, 375, 15, 15)", 10)), HasSubstr("too early"));
  EXPECT_THAT(error_with(npy("(1, 375, 15, 15)", 10, "<c8")), HasSubstr("does not contain numbers"));
  EXPECT_THAT(error_with(npy("(1, 375, 15, 15)", 10, "<f8")), HasSubstr("too early"));
  std::string large = npy("(1, 375, 15, 15)", 0, "<f8");
  for (std::size_t i = 0; i < kSampleInput; ++i) {
    const double value = i == 7 ? 1e300 : 0.5;
    large.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  EXPECT_THAT(error_with(large), HasSubstr("in.npy: holds 1e+300, which is too large for float32"));
}

// To open a pipe waits for who writes into it.
TEST(TensorFiles, ThatArePipesAreRefused) {
  if (!has_cpu()) GTEST_SKIP() << "built without the CPU device";
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo(folder.file("pipe").c_str(), 0600), 0);
  const Finished done = iosx({"run", "sample", "--schedule", "sequential", "--device", "cpu", "--repeat", "1",
                              "--input", folder.file("pipe"), "--output-dir", folder.file("out")});
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_THAT(done.err, HasSubstr("is a named pipe"));
}

TEST(TensorFiles, NeedADeviceThatComputes) {
  const TemporaryFolder folder;
  const Finished done =
      iosx({"run", "sample", "--schedule", "sequential", "--device", "tesla-v100", "--output-dir", folder.file("out")});
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_THAT(done.err, HasSubstr("compute"));
}

TEST(ConvertToOnnx, TakesABatchThatOtherFormatsDoNot) {
  const TemporaryFolder folder;
  const Finished fixed = iosx({"convert", "sample", folder.file("x.onnx"), "--batch", "2", "--json"});
  ASSERT_EQ(fixed.exit_code, 0) << fixed.err;
  EXPECT_EQ(fixed.json().at("batch"), 2);
  EXPECT_EQ(iosx({"convert", "sample", folder.file("x.json"), "--batch", "2"}).exit_code, 2);
  EXPECT_EQ(iosx({"convert", "sample", folder.file("missing/x.onnx")}).exit_code, 1);
}

}  // namespace
}  // namespace iosx::test
