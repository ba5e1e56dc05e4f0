#include "core/formats/onnx/read/tensor_data.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <ios>
#include <limits>
#include <optional>
#include <vector>

#include "core/base/check.h"
#include "core/base/text.h"
#include "core/formats/onnx/model.h"

namespace iosx::onnx_import {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxReadings = 4;
constexpr std::uint64_t kMaxGrown = std::uint64_t{1} << 30;
constexpr std::uint64_t kMaxWidened = std::uint64_t{2} << 30;  // 268 million integers
constexpr std::uint64_t kFreeBytes = std::uint64_t{1} << 20;
constexpr Sentence kKeepInside{"put the file into the model's folder and use a relative path"};

bool leaves(const fs::path& relative) { return relative.empty() || *relative.begin() == ".."; }

static_assert(std::endian::native == std::endian::little, "raw tensor data is little-endian");

constexpr std::size_t kMaxRank = 64;
constexpr Sentence kDamaged{"the file is damaged: export the model again"};

// Returns how many bytes one element takes in raw data; 0 where we do not read the type.
std::size_t element_size(ElementType type) {
  switch (type) {
    case ElementType::kInt8:
    case ElementType::kUint8:
    case ElementType::kBool: return 1;
    case ElementType::kInt16:
    case ElementType::kUint16:
    case ElementType::kFloat16:
    case ElementType::kBfloat16: return 2;
    case ElementType::kFloat32:
    case ElementType::kInt32:
    case ElementType::kUint32: return 4;
    case ElementType::kFloat64:
    case ElementType::kInt64:
    case ElementType::kUint64: return 8;
    default: return 0;
  }
}

// Returns element i of raw data, which may be unaligned.
template <typename T>
T element(std::span<const std::byte> bytes, std::size_t i) {
  T value;
  std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

template <typename Stored, typename T, typename Convert>
void convert_raw(std::span<const std::byte> bytes, std::vector<T>& values, Convert convert) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = convert(element<Stored>(bytes, i));
}

template <typename Stored>
void widen_raw(std::span<const std::byte> bytes, std::vector<std::int64_t>& values) {
  convert_raw<Stored>(bytes, values, [](Stored value) { return static_cast<std::int64_t>(value); });
}

void floats_of_raw(std::span<const std::byte> bytes, ElementType type, std::vector<float>& values) {
  switch (type) {
    case ElementType::kFloat16: return convert_raw<std::uint16_t>(bytes, values, float_of_float16);
    case ElementType::kBfloat16: return convert_raw<std::uint16_t>(bytes, values, float_of_bfloat16);
    case ElementType::kFloat64:
      return convert_raw<double>(bytes, values, [](double value) { return static_cast<float>(value); });
    default:
      if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  }
}

void integers_of_raw(std::span<const std::byte> bytes, ElementType type, std::vector<std::int64_t>& values) {
  switch (type) {
    case ElementType::kBool:
      return convert_raw<std::uint8_t>(bytes, values, [](std::uint8_t value) { return std::int64_t{value != 0}; });
    case ElementType::kInt8: return widen_raw<std::int8_t>(bytes, values);
    case ElementType::kUint8: return widen_raw<std::uint8_t>(bytes, values);
    case ElementType::kInt16: return widen_raw<std::int16_t>(bytes, values);
    case ElementType::kUint16: return widen_raw<std::uint16_t>(bytes, values);
    case ElementType::kInt32: return widen_raw<std::int32_t>(bytes, values);
    case ElementType::kUint32: return widen_raw<std::uint32_t>(bytes, values);
    default: return widen_raw<std::int64_t>(bytes, values);
  }
}

// uint64 values beyond int64 come out negative: such a tensor has no values for us.
HostTensor integer_tensor(std::vector<std::int64_t> dims, std::vector<std::int64_t> values, ElementType type) {
  if (type == ElementType::kUint64 && std::any_of(values.begin(), values.end(), [](auto v) { return v < 0; })) {
    return HostTensor::opaque(std::move(dims), type,
                              message("it holds integers of 2^63 and more, which are not supported"));
  }
  return HostTensor::of_integers(std::move(dims), std::move(values), type);
}

HostTensor tensor_of_raw(std::vector<std::int64_t> dims, ElementType type, std::span<const std::byte> bytes,
                         std::size_t count) {
  if (is_float(type)) {
    std::vector<float> values(count);
    floats_of_raw(bytes, type, values);
    return HostTensor::of_floats(std::move(dims), std::move(values), type);
  }
  std::vector<std::int64_t> values(count);
  integers_of_raw(bytes, type, values);
  return integer_tensor(std::move(dims), std::move(values), type);
}

// Returns the values of a typed field, one after another, in the type's stored form.
template <typename T, typename Field, typename Convert>
Result<std::vector<T>> values_of(const Field& field, std::int64_t count, const std::string& where, Convert convert) {
  if (field.size() != count)
    return fail(message("its dims need {} elements, but its data has {}", count, field.size()), where, kDamaged);
  std::vector<T> values(static_cast<std::size_t>(count));
  std::transform(field.begin(), field.end(), values.begin(), convert);
  return values;
}

std::int64_t narrow_stored(std::int32_t value, ElementType type) {
  switch (type) {
    case ElementType::kBool: return value != 0 ? 1 : 0;
    case ElementType::kInt8: return static_cast<std::int8_t>(value);
    case ElementType::kUint8: return static_cast<std::uint8_t>(value);
    case ElementType::kInt16: return static_cast<std::int16_t>(value);
    case ElementType::kUint16: return static_cast<std::uint16_t>(value);
    default: return value;
  }
}

Result<std::vector<float>> typed_floats(const onnx::TensorProto& tensor, ElementType type, std::int64_t count,
                                        const std::string& where) {
  const auto bits = [](std::int32_t value) { return static_cast<std::uint16_t>(value); };
  switch (type) {
    case ElementType::kFloat64:
      return values_of<float>(tensor.double_data(), count, where, [](double v) { return static_cast<float>(v); });
    case ElementType::kFloat16:
      return values_of<float>(tensor.int32_data(), count, where, [&](auto v) { return float_of_float16(bits(v)); });
    case ElementType::kBfloat16:
      return values_of<float>(tensor.int32_data(), count, where, [&](auto v) { return float_of_bfloat16(bits(v)); });
    default: return values_of<float>(tensor.float_data(), count, where, [](float v) { return v; });
  }
}

Result<std::vector<std::int64_t>> typed_integers(const onnx::TensorProto& tensor, ElementType type, std::int64_t count,
                                                 const std::string& where) {
  const auto same = [](auto value) { return static_cast<std::int64_t>(value); };
  switch (type) {
    case ElementType::kInt64: return values_of<std::int64_t>(tensor.int64_data(), count, where, same);
    case ElementType::kUint32:
    case ElementType::kUint64: return values_of<std::int64_t>(tensor.uint64_data(), count, where, same);
    default:
      return values_of<std::int64_t>(tensor.int32_data(), count, where,
                                     [&](std::int32_t value) { return narrow_stored(value, type); });
  }
}

Result<HostTensor> tensor_of_fields(const onnx::TensorProto& tensor, std::vector<std::int64_t> dims, ElementType type,
                                    std::int64_t count, const std::string& where) {
  if (is_float(type)) {
    IOS_TRY(auto values, typed_floats(tensor, type, count, where));
    return HostTensor::of_floats(std::move(dims), std::move(values), type);
  }
  IOS_TRY(auto values, typed_integers(tensor, type, count, where));
  return integer_tensor(std::move(dims), std::move(values), type);
}

Result<std::uint64_t> number_of(const std::string& text, const std::string& key, const std::string& where) {
  const auto number = read_number<std::uint64_t>(text);
  if (number && *number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return *number;
  return fail(message("the {} of its external data, '{}', is not a number of bytes", key, text), where, kDamaged);
}

// Returns where the tensor's `needed` bytes are.
Result<ExternalRange> external_range(const onnx::TensorProto& tensor, std::uint64_t needed, const std::string& where) {
  ExternalRange range{"", 0, needed};
  for (const auto& entry : tensor.external_data()) {
    if (entry.key() == "location") range.location = entry.value();
    if (entry.key() != "offset" && entry.key() != "length") continue;
    IOS_TRY(const auto number, number_of(entry.value(), entry.key(), where));
    (entry.key() == "offset" ? range.offset : range.length) = number;
  }
  if (range.length == needed) return range;
  return fail(message("its dims need {} bytes, but its external data has {}", needed, range.length), where, kDamaged);
}

Result<HostTensor> read_external(const onnx::TensorProto& tensor, ExternalFolder& folder,
                                 std::vector<std::int64_t> dims, ElementType type, std::size_t count,
                                 const std::string& where) {
  IOS_TRY(const auto range, external_range(tensor, count * element_size(type), where));
  // before memory is taken for it
  IOS_TRY(folder.check(range, where));
  if (type == ElementType::kFloat32) {
    std::vector<float> values(count);
    IOS_TRY(folder.read(range, std::as_writable_bytes(std::span(values)), where));
    return HostTensor::of_floats(std::move(dims), std::move(values));
  }
  std::vector<std::byte> bytes(range.length);
  IOS_TRY(folder.read(range, bytes, where));
  return tensor_of_raw(std::move(dims), type, bytes, count);
}

// Returns reasons that its values are not read, or nothing.
Message unsupported(const onnx::TensorProto& tensor, ExternalFolder& folder, ElementType type, std::int64_t count) {
  if (element_size(type) == 0) {
    return message("its elements are of type {} (ONNX's number {}), which is not supported", to_string(type),
                   tensor.data_type());
  }
  const bool widens = element_size(type) < 4 && is_integer(type);
  if (widens && !folder.widen(static_cast<std::uint64_t>(count) * sizeof(std::int64_t))) {
    return message("its {} elements of type {} exceed the limit for small integer constants of the model", count,
                   to_string(type));
  }
  return {};
}

void free_data(onnx::TensorProto& tensor) {
  delete tensor.release_raw_data();
  tensor.clear_raw_data();
  google::protobuf::RepeatedField<float>().Swap(tensor.mutable_float_data());
  google::protobuf::RepeatedField<double>().Swap(tensor.mutable_double_data());
  google::protobuf::RepeatedField<std::int32_t>().Swap(tensor.mutable_int32_data());
  google::protobuf::RepeatedField<std::int64_t>().Swap(tensor.mutable_int64_data());
  google::protobuf::RepeatedField<std::uint64_t>().Swap(tensor.mutable_uint64_data());
}

Result<HostTensor> read_tensor(const onnx::TensorProto& tensor, ExternalFolder& folder, const std::string& where) {
  std::vector<std::int64_t> dims(tensor.dims().begin(), tensor.dims().end());
  if (dims.size() > kMaxRank)
    return fail(message("it has {} dims", dims.size()), where, message("at most {} are supported", kMaxRank));
  const auto count = element_count(dims);
  const ElementType type = element_type_of(tensor.data_type());
  // 16: so that neither bytes nor elements overflow anywhere
  if (!count || *count > std::numeric_limits<std::int64_t>::max() / 16)
    return fail(message("its dims {} are negative or too large", fmt::join(dims, "x")), where, kDamaged);
  if (tensor.has_segment())
    return fail(message("it is cut into segments"), where, message("export the model again in one piece"));
  if (auto why = unsupported(tensor, folder, type, *count); !why.empty())
    return HostTensor::opaque(std::move(dims), type, std::move(why));
  const auto elements = static_cast<std::size_t>(*count);
  if (tensor.data_location() == onnx::TensorProto::EXTERNAL)
    return read_external(tensor, folder, std::move(dims), type, elements, where);
  if (!tensor.has_raw_data() || tensor.raw_data().empty())
    return tensor_of_fields(tensor, std::move(dims), type, *count, where);
  const std::string& raw = tensor.raw_data();
  if (raw.size() != elements * element_size(type)) {
    return fail(message("its dims need {} bytes, but its data has {}", elements * element_size(type), raw.size()),
                where, kDamaged);
  }
  return tensor_of_raw(std::move(dims), type, std::as_bytes(std::span(raw)), elements);
}

// Returns where the i-th stored value is in the dense tensor: it is given as one number, or as one for each axis.
std::optional<std::size_t> position(const HostTensor& indices, std::size_t i, const std::vector<std::int64_t>& dims,
                                    std::int64_t elements) {
  std::int64_t linear = 0;
  if (indices.rank() == 1) {
    linear = indices.integers()[i];
  } else {
    for (std::size_t axis = 0; axis < dims.size(); ++axis) {
      const std::int64_t index = indices.integers()[i * dims.size() + axis];
      if (index < 0 || index >= dims[axis]) return std::nullopt;
      linear = linear * dims[axis] + index;
    }
  }
  if (linear < 0 || linear >= elements) return std::nullopt;
  return static_cast<std::size_t>(linear);
}

template <typename T>
Result<std::vector<T>> scatter(std::span<const T> values, const HostTensor& indices,
                               const std::vector<std::int64_t>& dims, std::int64_t elements, const std::string& where) {
  std::vector<T> dense(static_cast<std::size_t>(elements));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto at = position(indices, i, dims, elements);
    if (!at) return fail(message("its sparse value {} is outside of its dims", i), where, kDamaged);
    dense[*at] = values[i];
  }
  return dense;
}

}  // namespace

Result<fs::path> ExternalFolder::resolve(const std::string& location, const std::string& where) const {
  if (location.empty() || location.find('\0') != std::string::npos)
    return fail(message("its external data has no usable location"), where, message("export the model again"));
  if (folder_.empty()) {
    return fail(message("its data is in the file {}, but the model has no folder", name_text(location)), where,
                message("open the model from its file"));
  }
  const fs::path path(location);
  if (path.is_absolute())
    return fail(message("its data is at the absolute path {}", name_text(location)), where, kKeepInside);
  if (leaves(path.lexically_normal()))
    return fail(message("its data is at {}, outside of the model's folder", name_text(location)), where, kKeepInside);
  std::error_code error;
  const fs::path folder = fs::canonical(folder_, error);
  if (error) return fail(message("the model's folder cannot be read: {}", error.message()), where);
  const fs::path file = fs::canonical(folder / path, error);
  if (error) {
    return fail(message("its data is in the file {}, which cannot be read: {}", name_text(location), error.message()),
                where, message("put the file into the folder '{}'", folder_.string()));
  }
  if (leaves(file.lexically_relative(folder))) {
    return fail(message("its data is at {}, a link out of the model's folder", name_text(location)), where,
                kKeepInside);
  }
  if (!fs::is_regular_file(file, error))
    return fail(message("its data is at {}, which is not a regular file", name_text(location)), where, kKeepInside);
  return file;
}

Result<std::uint64_t> ExternalFolder::size(const std::string& location, const std::string& where) const {
  IOS_TRY(const auto file, resolve(location, where));
  std::error_code error;
  const std::uint64_t size = fs::file_size(file, error);
  if (error)
    return fail(message("the size of the file {} is unknown: {}", name_text(location), error.message()), where);
  return size;
}

Result<void> ExternalFolder::check(const ExternalRange& range, const std::string& where) const {
  IOS_TRY(const auto bytes, size(range.location, where));
  if (range.offset <= bytes && range.length <= bytes - range.offset) return {};
  return fail(message("its data is bytes {} to {}+{} of the file {}, which has {}", range.offset, range.offset,
                      range.length, name_text(range.location), bytes),
              where, message("the file is truncated or belongs to another model: copy or export it again"));
}

Result<void> ExternalFolder::read(const ExternalRange& range, std::span<std::byte> bytes, const std::string& where) {
  IOS_CHECK(bytes.size() == range.length);
  if (auto checked = check(range, where); !checked) return checked;
  IOS_TRY(const auto path, resolve(range.location, where));
  IOS_TRY(const auto file_bytes, size(range.location, where));
  std::uint64_t& read_so_far = bytes_read_[range.location];
  read_so_far += range.length;
  if (read_so_far > kMaxReadings * file_bytes + kFreeBytes) {
    return fail(message("too many tensors share their data in the file {}", name_text(range.location)), where,
                message("export the model again, with each tensor's own data"));
  }
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(range.offset));
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file)
    return fail(message("the file {} cannot be read", name_text(range.location)), where,
                message("check its permissions"));
  return {};
}

Result<void> ExternalFolder::grow(std::uint64_t bytes, const std::string& where) {
  if (bytes <= kMaxGrown - bytes_grown_) {
    bytes_grown_ += bytes;
    return {};
  }
  return fail(message("the sparse tensors of the model would need more than {} MB", kMaxGrown >> 20), where,
              message("export the model with dense weights"));
}

bool ExternalFolder::widen(std::uint64_t bytes) {
  if (bytes > kMaxWidened - bytes_widened_) return false;
  bytes_widened_ += bytes;
  return true;
}

Result<HostTensor> take_tensor(onnx::TensorProto& tensor, ExternalFolder& folder, const std::string& where) {
  auto result = read_tensor(tensor, folder, where);
  free_data(tensor);
  return result;
}

Result<HostTensor> take_sparse_tensor(onnx::SparseTensorProto& tensor, ExternalFolder& folder,
                                      const std::string& where) {
  std::vector<std::int64_t> dims(tensor.dims().begin(), tensor.dims().end());
  const auto elements = element_count(dims);
  if (!elements) return fail(message("its dims are negative or too large"), where, kDamaged);
  if (*elements > kMaxFoldedElements) {
    return fail(message("it is sparse and has {} elements", *elements), where,
                message("at most {} are supported: export the model with dense weights", kMaxFoldedElements));
  }
  auto values = take_tensor(*tensor.mutable_values(), folder, where);
  if (!values) return values;
  auto indices = take_tensor(*tensor.mutable_indices(), folder, where);
  if (!indices) return indices;
  if (values->is_opaque()) return HostTensor::opaque(std::move(dims), values->type(), values->why_opaque());
  const std::int64_t per_value = indices->rank() == 1 ? 1 : static_cast<std::int64_t>(dims.size());
  const bool fits = indices->holds_integers() && (indices->rank() == 1 || indices->rank() == 2) &&
                    (indices->rank() == 1 || indices->dims()[1] == per_value) &&
                    indices->dims()[0] == values->elements();
  if (!fits) return fail(message("its sparse values and their indices do not match"), where, kDamaged);
  const std::size_t bytes = values->holds_floats() ? sizeof(float) : sizeof(std::int64_t);
  IOS_TRY(folder.grow(static_cast<std::uint64_t>(*elements) * bytes, where));
  if (values->holds_floats()) {
    IOS_TRY(auto dense, scatter(values->floats(), *indices, dims, *elements, where));
    return HostTensor::of_floats(std::move(dims), std::move(dense), values->type());
  }
  IOS_TRY(auto dense, scatter(values->integers(), *indices, dims, *elements, where));
  return HostTensor::of_integers(std::move(dims), std::move(dense), values->type());
}

}  // namespace iosx::onnx_import
