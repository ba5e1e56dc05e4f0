#include <algorithm>
#include <map>

#include "core/base/text.h"
#include "core/formats/external/open_recording.h"

namespace iosx::external {
namespace {

constexpr std::size_t kMostDumped = 1'000'000;  // nodes, and edges

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }

// Reads what cudaGraphDebugDotPrint() writes: `"graph_1_node_0" [… label="{KERNEL | {ID | 0 | NAME …`, and edges
// `"graph_1_node_0" -> "graph_1_node_1"`.
class DumpReader {
 public:
  DumpReader(std::string_view text, const std::string& origin) : text_(text), origin_(origin) {}

  Result<GraphDump> read() {
    while (true) {
      const std::string_view id = next_quoted();
      if (id.empty()) break;
      if (!is_node(id)) continue;
      skip_spaces();
      if (text_.substr(at_).starts_with("->")) {
        at_ += 2;
        skip_spaces();
        if (at_ < text_.size() && text_[at_] == '"') arcs_.emplace_back(id, next_quoted());
      } else if (at_ < text_.size() && text_[at_] == '[') {
        read_label(id);
      }
      if (nodes_.size() > kMostDumped || arcs_.size() > kMostDumped)
        return fail(message("has more than {} nodes", kMostDumped), origin_,
                    message("check that it is the right file"));
    }
    if (nodes_.empty()) {
      return fail(message("has no nodes of a CUDA graph"), origin_,
                  message("write it with cudaGraphDebugDotPrint(), or debug_dump() of PyTorch"));
    }
    return made();
  }

 private:
  static bool is_node(std::string_view id) {
    return id.starts_with("graph_") && id.find("_node_") != std::string_view::npos;
  }
  // "graph_1_node_12" is the 12th of its graph.
  static std::size_t number_of(std::string_view id) {
    std::size_t number = 0;
    for (const char c : id.substr(id.rfind('_') + 1)) {
      if (c < '0' || c > '9' || number > kMostDumped) break;
      number = number * 10 + static_cast<std::size_t>(c - '0');
    }
    return number;
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }

  // Returns the next text in quotes, with its escapes as they are.
  std::string_view next_quoted() {
    const std::size_t begin = text_.find('"', at_);
    if (begin == std::string_view::npos) {
      at_ = text_.size();
      return {};
    }
    std::size_t end = begin + 1;
    while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
    end = std::min(end, text_.size());
    at_ = std::min(end + 1, text_.size());
    return text_.substr(begin + 1, end - begin - 1);
  }

  void read_label(std::string_view id) {
    constexpr std::string_view kLabel = "label=\"{";
    const std::size_t label = text_.find(kLabel, at_);
    const std::size_t bracket = text_.find(']', at_);
    if (label == std::string_view::npos || bracket < label) return;
    std::size_t begin = label + kLabel.size();
    while (begin < text_.size() && !is_letter(text_[begin]) && text_[begin] != '"') ++begin;
    std::size_t end = begin;
    while (end < text_.size() && is_letter(text_[end])) ++end;
    const std::string_view kind = text_.substr(begin, end - begin);
    at_ = label + kLabel.size() - 2;  // at the quote, behind which ids and arrows may stand
    const std::string_view content = next_quoted();
    if (kind != "KERNEL" && kind != "MEMCPY" && kind != "MEMSET") return;
    std::string_view name = content.substr(0, content.find(R"(\<\<\<)"));
    name = name.substr(std::min(name.size(), name.rfind('|') + 1));
    nodes_.emplace_back(id, trimmed(name));
  }

  GraphDump made() {
    std::ranges::stable_sort(nodes_, {}, [](const auto& node) { return number_of(node.first); });
    GraphDump dump;
    std::map<std::string_view, std::uint32_t> place;
    for (const auto& [id, name] : nodes_) {
      if (!place.emplace(id, static_cast<std::uint32_t>(dump.nodes.size())).second) continue;
      dump.nodes.emplace_back(name);
    }
    for (const auto& [before, after] : arcs_) {
      const auto from = place.find(before);
      const auto to = place.find(after);
      if (from != place.end() && to != place.end() && from != to) dump.edges.emplace_back(from->second, to->second);
    }
    return dump;
  }

  std::string_view text_;
  const std::string& origin_;
  std::size_t at_ = 0;
  std::vector<std::pair<std::string_view, std::string_view>> nodes_;  // id, name
  std::vector<std::pair<std::string_view, std::string_view>> arcs_;
};

}  // namespace

Result<GraphDump> read_graph_dump(std::string_view text, const std::string& origin) {
  return DumpReader(text, origin).read();
}

}  // namespace iosx::external
