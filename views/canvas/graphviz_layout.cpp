#include "views/canvas/graphviz_layout.h"

#include <fmt/format.h>
#include <graphviz/gvc.h>
#include <locale.h>

#include <cmath>
#include <mutex>
#include <string>

namespace iosx::canvas {
namespace {

constexpr double kPointsPerInch = 72;

std::mutex& graphviz_mutex() {
  static std::mutex mutex;
  return mutex;
}

// Graphviz reads numbers with the locale's decimal point; inside this scope it is a dot.
class CLocale {
 public:
  CLocale() : c_(newlocale(LC_NUMERIC_MASK, "C", nullptr)), before_(uselocale(c_)) {}
  ~CLocale() {
    uselocale(before_);
    freelocale(c_);
  }
  CLocale(const CLocale&) = delete;
  CLocale& operator=(const CLocale&) = delete;

 private:
  locale_t c_;
  locale_t before_;
};

// Graphviz' functions take char*, but do not write to it.
char* text(const char* literal) { return const_cast<char*>(literal); }

void set(void* object, const char* name, const std::string& value) {
  agsafeset(object, text(name), text(value.c_str()), text(""));
}

// Owns a graph in Graphviz' memory, which is freed with its layout.
class DotGraph {
 public:
  DotGraph(GVC_t* context, const FramePlan& plan) : context_(context), plan_(plan) {
    graph_ = agopen(text("frame"), Agstrictdirected, nullptr);
    set(graph_, "rankdir", "TB");
    set(graph_, "nodesep", "0.36");
    set(graph_, "ranksep", "0.6");
    set(graph_, "splines", "true");
    set(graph_, "nslimit", "4");  // bound the simplex' iterations: time over beauty in odd graphs
    set(graph_, "nslimit1", "4");
    add_nodes();
    add_edges();
  }
  ~DotGraph() {
    if (laid_out_) gvFreeLayout(context_, graph_);
    agclose(graph_);
  }
  DotGraph(const DotGraph&) = delete;
  DotGraph& operator=(const DotGraph&) = delete;

  std::optional<FrameLayout> layout() {
    if (gvLayout(context_, graph_, "dot") != 0) return std::nullopt;
    laid_out_ = true;
    FrameLayout result;
    result.engine = Engine::kGraphviz;
    top_ = GD_bb(graph_).UR.y;
    result.size = {GD_bb(graph_).UR.x, top_};
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const Point center = at(ND_coord(nodes_[n]));
      const Size size = plan_.nodes[n].size;
      result.boxes.push_back({center.x - size.width / 2, center.y - size.height / 2, size.width, size.height});
    }
    for (Agedge_t* edge : edges_) {
      result.curves.push_back(curve(edge));
      if (result.curves.back().empty()) return std::nullopt;
    }
    return result;
  }

 private:
  void add_nodes() {
    for (std::size_t n = 0; n < plan_.nodes.size(); ++n) {
      Agnode_t* node = agnode(graph_, text(std::to_string(n).c_str()), TRUE);
      set(node, "shape", "box");
      set(node, "label", "");
      set(node, "fixedsize", "true");
      set(node, "width", fmt::format("{:.6f}", plan_.nodes[n].size.width / kPointsPerInch));
      set(node, "height", fmt::format("{:.6f}", plan_.nodes[n].size.height / kPointsPerInch));
      nodes_.push_back(node);
    }
  }

  void add_edges() {
    for (const auto& [from, to] : plan_.edges) {
      Agedge_t* edge = agedge(graph_, nodes_[from], nodes_[to], nullptr, TRUE);
      set(edge, "dir", "none");  // the spline then ends at the box; arrow heads are ours
      edges_.push_back(edge);
    }
  }

  Point at(const pointf& p) const { return {p.x, top_ - p.y}; }

  Curve curve(Agedge_t* edge) const {
    const splines* spline = ED_spl(edge);
    Curve result;
    if (spline == nullptr || spline->size != 1) return result;
    const bezier& line = spline->list[0];
    for (int i = 0; i < line.size; ++i) result.push_back(at(line.list[i]));
    return result;
  }

  GVC_t* context_;
  const FramePlan& plan_;
  Agraph_t* graph_ = nullptr;
  std::vector<Agnode_t*> nodes_;
  std::vector<Agedge_t*> edges_;
  bool laid_out_ = false;
  double top_ = 0;  // Graphviz' y grows upwards
};

int ignore_message(char* /*message*/) { return 0; }

}  // namespace

struct GraphvizLayout::Context {
  Context() : gvc(gvContext()) {
    agseterr(AGMAX);  // failures are handled, not printed
    agseterrf(ignore_message);
  }
  ~Context() { gvFreeContext(gvc); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  GVC_t* gvc;
};

GraphvizLayout::GraphvizLayout() = default;
GraphvizLayout::~GraphvizLayout() {
  const std::lock_guard lock(graphviz_mutex());
  context_.reset();
}

std::optional<FrameLayout> GraphvizLayout::layout(const FramePlan& plan) {
  if (plan.staged || plan.nodes.empty() || plan.nodes.size() > kMaxGraphvizNodes) return std::nullopt;
  const std::lock_guard lock(graphviz_mutex());
  const CLocale locale;
  if (!context_) context_ = std::make_unique<Context>();
  return DotGraph(context_->gvc, plan).layout();
}

}  // namespace iosx::canvas
