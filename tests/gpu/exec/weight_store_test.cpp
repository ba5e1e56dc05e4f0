#include "gpu/exec/context.h"

#include "gpu/runtime/errors.h"
#include "tests/gpu/support/host_convolutions.h"
#include "tests/gpu/support/host_runtime.h"
#include "tests/support/prelude.h"

namespace iosx::gpu {
namespace {

class WeightStoreTest : public testing::Test {
 protected:
  const void* get(const std::shared_ptr<const Parameters>& parameters, std::size_t id, std::string_view form,
                  DataType type = DataType::kFloat32) {
    const OperatorId operators[] = {OperatorId(id)};
    const auto make = [&] {
      ++made_;
      return Tensor({4}, {1, 2.5F, -3, 4});
    };
    return store_.get({parameters, operators, form}, type, make).data();
  }

  test::HostRuntime runtime_{{.memory = 2000}};
  WeightStore store_{runtime_};
  std::shared_ptr<const Parameters> parameters_ = std::make_shared<const Parameters>();
  int made_ = 0;
};

TEST_F(WeightStoreTest, UploadsEachOnce) {
  const void* const first = get(parameters_, 1, "form");
  EXPECT_EQ(get(parameters_, 1, "form"), first);
  EXPECT_EQ(made_, 1);
  EXPECT_EQ(store_.bytes(), 16);
  std::vector<float> values(4);
  runtime_.download(values.data(), first, 16);
  EXPECT_EQ(values, (std::vector<float>{1, 2.5F, -3, 4}));
}

TEST_F(WeightStoreTest, TellsOperatorsFormsTypesAndParametersApart) {
  const auto others = std::make_shared<const Parameters>();
  std::set<const void*> places{get(parameters_, 1, "form"), get(parameters_, 2, "form"), get(parameters_, 1, "other"),
                               get(parameters_, 1, "form", DataType::kFloat16), get(others, 1, "form")};
  EXPECT_EQ(places.size(), 5U);
}

TEST_F(WeightStoreTest, ConvertsOnTheDevice) {
  for (const DataType type : {DataType::kFloat16, DataType::kBfloat16}) {
    const void* const data = get(parameters_, 1, "form", type);
    for (std::int64_t i = 0; i < 4; ++i) {
      const float expected[] = {1, 2.5F, -3, 4};
      EXPECT_EQ(test::load(data, type, i), expected[i]);
    }
  }
  EXPECT_EQ(store_.bytes(), 16);
  EXPECT_EQ(runtime_.allocated_bytes(), 16);
}

TEST_F(WeightStoreTest, GivesMemoryBack) {
  get(parameters_, 1, "form");
  store_.clear();
  EXPECT_EQ(store_.bytes(), 0);
  EXPECT_EQ(runtime_.allocated_bytes(), 0);
  EXPECT_EQ(parameters_.use_count(), 1);
  get(parameters_, 1, "form");
  EXPECT_EQ(made_, 2);
}

TEST_F(WeightStoreTest, OutOfMemoryLeavesTheRest) {
  get(parameters_, 1, "form");
  const OperatorId operators[] = {OperatorId(2)};
  const auto large = [] { return Tensor({1000}, std::vector<float>(1000)); };
  EXPECT_THROW(store_.get({parameters_, operators, "form"}, DataType::kFloat32, large), OutOfMemory);
  EXPECT_THROW(store_.get({parameters_, operators, "form"}, DataType::kFloat16, large), OutOfMemory);
  EXPECT_EQ(runtime_.allocated_bytes(), 16);
  EXPECT_NE(get(parameters_, 2, "form"), nullptr);
}

}  // namespace
}  // namespace iosx::gpu
