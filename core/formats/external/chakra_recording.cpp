#include <algorithm>
#include <map>
#include <unordered_map>

#include "core/formats/external/json_elements.h"
#include "core/formats/external/open_recording.h"

namespace iosx::external {
namespace {

using ChakraNode = nlohmann::json;

constexpr std::size_t kMostFeeders = 64;  // kernels before a node of the processor

std::int64_t whole_member(const ChakraNode& node, const char* key, std::int64_t otherwise) {
  const auto found = node.find(key);
  if (found == node.end() || !found->is_number_integer()) return otherwise;
  return found->is_number_unsigned() && found->get<std::uint64_t>() > std::uint64_t{INT64_MAX}
             ? otherwise
             : found->get<std::int64_t>();
}

// Returns a value of the node's list "attr"; null: there is none.
const ChakraNode* attribute_of(const ChakraNode& node, std::string_view name, const char* kind) {
  const auto list = node.find("attr");
  if (list == node.end() || !list->is_array()) return nullptr;
  for (const ChakraNode& one : *list) {
    if (!one.is_object() || !one.contains("name") || one["name"] != name) continue;
    const auto value = one.find(kind);
    return value == one.end() ? nullptr : &*value;
  }
  return nullptr;
}

// Reads a trace of Chakra whose nodes have times and dependencies.
class ChakraReader {
 public:
  Result<Recording> read(ByteSource& source, const std::string& origin) {
    JsonElements reader({"nodes"}, [&](std::string_view /*list*/, const ChakraNode& node) { return take(node); });
    IOS_TRY(reader.read(source, origin));
    add_edges();
    return std::move(out_);
  }

 private:
  struct Node {
    std::uint32_t kernel = kNoIndex;  // kNoIndex: of the processor
    std::vector<std::int64_t> needs;
  };

  Message take(const ChakraNode& node) {
    if (!node.is_object()) return {};
    if (nodes_.size() == 4 * kMostSpans || out_.kernels.size() == kMostSpans)
      return message("has more than {} operators", kMostSpans);
    Node made;
    if (const auto needs = node.find("data_deps"); needs != node.end() && needs->is_array()) {
      for (const ChakraNode& need : *needs) {
        if (need.is_number_integer() && need >= 0 && need <= INT64_MAX) made.needs.push_back(need.get<std::int64_t>());
      }
    }
    const ChakraNode* const on_host = attribute_of(node, "is_cpu_op", "bool_val");
    const auto begin = static_cast<double>(whole_member(node, "start_time_micros", -1));
    const auto duration = static_cast<double>(whole_member(node, "duration_micros", -1));
    const bool timed = begin >= 0 && duration >= 0 && begin < kMostMicros && duration < kMostMicros;
    if (timed && on_host != nullptr && on_host->is_boolean() && !on_host->get<bool>()) {
      made.kernel = static_cast<std::uint32_t>(out_.kernels.size());
      add_kernel(node, begin, duration);
    }
    nodes_.insert_or_assign(whole_member(node, "id", -1), std::move(made));
    return {};
  }

  void add_kernel(const ChakraNode& node, double begin, double duration) {
    const ChakraNode* const stream = attribute_of(node, "stream", "int64_val");
    const std::int64_t number = stream != nullptr && stream->is_number_integer() ? stream->get<std::int64_t>() : 0;
    const auto [lane, new_lane] = lanes_.emplace(number, static_cast<std::uint16_t>(lanes_.size() % 0xFFFF));
    if (new_lane && out_.lanes.size() <= lane->second) out_.lanes.push_back({.stream = std::to_string(number)});
    const auto text = node.find("name");
    const std::string name = text != node.end() && text->is_string() ? text->get<std::string>() : "kernel";
    const auto [id, new_name] = names_.emplace(name, static_cast<NameId>(out_.names.size()));
    if (new_name) out_.names.push_back(name);
    out_.kernels.push_back({.begin = begin,
                            .end = begin + duration,
                            .name = id->second,
                            .lane = lane->second,
                            .kind = kind_of_kernel(name)});
  }

  // Between kernels there may be nodes of the processor, which hand on what they wait for.
  void add_edges() {
    std::unordered_map<std::int64_t, std::vector<std::uint32_t>> before;  // kernels before nodes of the processor
    for (const auto& [id, node] : nodes_) {
      std::vector<std::uint32_t> kernels;
      for (const std::int64_t need : node.needs) {
        const auto other = nodes_.find(need);
        if (other == nodes_.end()) continue;
        if (other->second.kernel != kNoIndex) {
          kernels.push_back(other->second.kernel);
        } else if (const auto handed = before.find(need); handed != before.end()) {
          kernels.insert(kernels.end(), handed->second.begin(), handed->second.end());
        }
      }
      if (node.kernel == kNoIndex) {
        if (kernels.size() > kMostFeeders) kernels.erase(kernels.begin(), kernels.end() - kMostFeeders);
        if (!kernels.empty()) before.emplace(id, std::move(kernels));
        continue;
      }
      for (const std::uint32_t kernel : kernels) {
        if (kernel != node.kernel) out_.edges.push_back({kernel, node.kernel, EdgeKind::kData, EdgeCertainty::kKnown});
      }
    }
  }

  std::map<std::int64_t, Node> nodes_;  // by id, which grows along dependencies
  std::map<std::int64_t, std::uint16_t> lanes_;
  std::unordered_map<std::string, NameId> names_;
  Recording out_;
};

}  // namespace

bool is_chakra_json(std::string_view head) { return head.find("\"data_deps\"") != std::string_view::npos; }

Result<Recording> chakra_recording(ByteSource& source, const std::string& origin) {
  return ChakraReader().read(source, origin);
}

}  // namespace iosx::external
