#include "tests/lint/lint.h"

#include <regex>

namespace iosx::lint {
namespace {

namespace fs = std::filesystem;

constexpr std::array kFolders{"app", "core", "gpu", "views", "resources", "models", "tests"};

struct Rule {
  std::string_view folder;
  std::vector<std::string_view> may_use;  // with everything that those may use
};

// Who may include whom. A file belongs to the rule with the longest matching folder. Every folder may use itself and
// core/base.
const std::vector<Rule>& rules() {
  static const std::vector<Rule> table{
      {"core/base", {}},
      {"core/base/json", {}},
      {"core/base/sqlite", {}},
      {"core/options", {}},
      {"core/tables", {}},
      {"core/model/graph", {}},
      {"core/model/schedule", {"core/model/graph"}},
      {"core/model/plan", {"core/model/schedule"}},
      {"core/model/plan/lanes", {"core/model/plan"}},
      {"core/model/layout", {"core/model/plan"}},
      {"core/model/trace", {"core/model/plan"}},
      {"core/model/cost", {"core/model/schedule"}},
      {"core/model/recording", {}},
      {"core/model/edit", {"core/model/graph", "core/base/json"}},
      {"core/devices", {"core/options", "core/model/trace", "core/model/cost", "core/model/plan/lanes"}},
      {"core/devices/simulated", {"core/devices"}},
      {"core/devices/store", {"core/model/plan", "core/model/cost", "core/base/sqlite"}},
      {"core/devices/measure", {"core/devices", "core/devices/store"}},
      {"core/devices/cpu", {"core/devices/measure", "core/model/layout"}},
      {"core/formats",
       {"core/formats/ios", "core/formats/onnx/convert", "core/formats/onnx/write", "core/formats/external",
        "core/devices/store", "core/model/layout"}},
      {"core/formats/ios", {"core/model/schedule", "core/base/json"}},
      {"core/formats/onnx", {"core/model/graph"}},
      {"core/formats/onnx/read", {"core/formats/onnx"}},
      {"core/formats/onnx/fold", {"core/formats/onnx"}},
      {"core/formats/onnx/draft", {"core/formats/onnx"}},
      {"core/formats/onnx/convert", {"core/formats/onnx/draft", "core/formats/onnx/fold", "core/formats/onnx/read"}},
      {"core/formats/onnx/write", {"core/formats/onnx"}},
      {"core/formats/wire", {"core/devices", "core/model/edit", "core/base/json"}},
      {"core/formats/external",
       {"core/tables", "core/model/trace", "core/model/recording", "core/devices/measure", "core/base/json",
        "core/base/sqlite"}},
      {"core/engines", {"core/formats"}},
      {"core/workers", {"core/formats/wire"}},
      {"core/operators", {"core/tables", "core/formats/wire", "core/devices/measure", "core/devices/simulated"}},
      {"core/search", {"core/options", "core/model/cost"}},
      {"core/analysis/compare", {"core/tables", "core/search", "core/devices/measure"}},
      {"core/analysis/difference", {"core/analysis/compare"}},
      {"core/analysis/draft", {"core/analysis/compare"}},
      {"core/analysis/experiment", {"core/analysis/compare", "core/engines", "core/model/edit"}},
      {"core/analysis/explain", {"core/analysis/compare"}},
      {"core/analysis/live", {"core/analysis/compare", "core/model/edit"}},
      {"core/analysis/order", {"core/formats/external"}},
      {"core/analysis/recording", {"core/tables", "core/model/recording"}},
      {"core/analysis/validate", {"core/tables", "core/search", "core/operators", "core/devices/simulated"}},
      {"core/documents/report", {"core/analysis/compare", "core/formats", "core/formats/external"}},
      {"core/documents/run_file", {"core/formats/wire", "core/formats/external", "core/documents/report"}},
      {"core/documents/project",
       {"core/analysis/recording", "core/documents/run_file", "core/formats/external", "core/formats/wire"}},
      {"core/documents/html", {"core/documents/report", "core/analysis/difference", "core/documents/run_file"}},
      {"core/documents/pytorch", {"core/documents/report"}},
      {"core/documents/exports", {"core/documents/html", "core/documents/pytorch"}},
      {"core/workbench",
       {"core/analysis/draft", "core/analysis/experiment", "core/analysis/explain", "core/analysis/live",
        "core/analysis/recording", "core/analysis/validate", "core/operators", "core/documents/project"}},
      {"models/networks", {"core/model/graph"}},
      {"models/devices", {"core/devices/simulated"}},
      {"models", {"models/networks", "core/formats", "core/devices/cpu"}},
      {"resources/packaging", {}},
      {"gpu", {"core/devices/measure", "core/model/layout"}},
      {"views/style", {"core/model/schedule"}},
      {"views/text", {"core/analysis/difference"}},
      {"views/widgets", {"views/style"}},
      {"views/figures", {"views/style", "views/text", "core/tables"}},
      {"views/time", {"views/text"}},
      {"views/app_model",
       {"core/workbench", "core/documents/project", "core/formats/external", "core/analysis/recording", "views/text"}},
      {"views/tables", {"views/app_model", "views/style", "views/text"}},
      {"views/canvas/layout", {"views/text"}},
      {"views/canvas/weave", {"views/canvas/layout"}},
      {"views/canvas/paint", {"views/canvas/weave", "views/app_model", "views/figures"}},
      {"views/canvas", {"views/canvas/paint", "views/widgets"}},
      {"views/explore/experiment", {"views/app_model", "views/figures", "views/text"}},
      {"views/explore/saving", {"views/widgets", "views/app_model", "views/figures", "views/text"}},
      {"views/explore/search", {"views/app_model", "views/figures", "views/text", "views/widgets"}},
      {"views/explore/sweep", {"views/widgets", "views/app_model", "views/figures", "views/text"}},
      {"views/explore/utilization", {"views/widgets", "views/app_model", "views/figures", "views/time"}},
      {"views/explore/timeline", {"views/explore/utilization"}},
      {"views/edit_graph", {"views/canvas", "core/model/edit"}},
      {"views/edit_schedule", {"views/canvas", "views/tables", "views/time", "core/analysis/draft"}},
      {"views/compare", {"views/canvas", "views/tables", "views/time", "core/analysis/difference"}},
      {"views/recording",
       {"views/canvas", "views/tables", "views/time", "core/analysis/recording", "core/formats/external"}},
      {"views/share", {"views/canvas", "views/explore/timeline"}},
      {"views/window/base", {"views/tables", "views/figures", "views/widgets"}},
      {"views/window/actions", {"views/window/base", "views/canvas", "models", "core/documents/exports"}},
      {"views/window/devices", {"views/window/base", "core/workers", "core/operators"}},
      {"views/window/dialogs",
       {"views/window/actions", "views/compare", "views/explore/experiment", "views/explore/utilization", "models"}},
      {"views/window/panels",
       {"views/window/actions", "views/window/devices", "views/compare", "views/edit_graph", "views/share",
        "views/explore/saving", "views/explore/search", "views/explore/sweep", "views/explore/utilization"}},
      {"views/window/menus",
       {"views/window/dialogs", "views/window/panels", "views/edit_schedule", "core/documents/exports"}},
      {"views/window/start", {"views/window/actions"}},
      {"views/window/shell", {"views/window/menus", "views/window/start", "views/recording"}},
      {"app/devices", {"models/devices", "core/devices/cpu", "core/workers", "core/operators", "gpu"}},
      {"app/cli",
       {"app/devices", "models", "core/workbench", "core/operators", "core/analysis/order", "core/documents/exports"}},
      {"app/gui", {"app/devices", "views/window/shell"}},
      {"app/python", {"app/devices", "models", "core/workbench", "core/documents/exports"}},
      {"tests", {"app/cli", "app/gui", "app/devices", "gpu"}},
  };
  return table;
}

bool inside(std::string_view path, std::string_view folder) {
  return path.size() > folder.size() && path.substr(0, folder.size()) == folder && path[folder.size()] == '/';
}

const Rule* rule_of(std::string_view path) {
  const Rule* best = nullptr;
  for (const Rule& rule : rules()) {
    if (inside(path, rule.folder) && (best == nullptr || rule.folder.size() > best->folder.size())) best = &rule;
  }
  return best;
}

// The folder's name in the table, and all that it may use, directly or not.
std::set<std::string_view> allowed(const Rule& rule) {
  std::set<std::string_view> result{rule.folder, "core/base"};
  std::vector<std::string_view> open = rule.may_use;
  while (!open.empty()) {
    const std::string_view next = open.back();
    open.pop_back();
    if (!result.insert(next).second) continue;
    for (const Rule& other : rules()) {
      if (other.folder == next) open.insert(open.end(), other.may_use.begin(), other.may_use.end());
    }
  }
  return result;
}

bool is_code(std::string_view path) {
  return path.ends_with(".h") || path.ends_with(".cpp") || path.ends_with(".cu") || path.ends_with(".cuh");
}

struct Include {
  std::size_t line = 0;  // from 1
  bool quoted = false;
  std::string path;
};

std::vector<Include> includes(const SourceFile& file) {
  static const std::regex pattern(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"].*)");
  std::vector<Include> found;
  std::istringstream lines(file.text);
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    std::smatch match;
    if (std::regex_match(line, match, pattern)) found.push_back({number, match[1] == "\"", match[2]});
  }
  return found;
}

std::vector<std::string> lines_of(const std::string& command) {
  std::vector<std::string> lines;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  if (!pipe) return lines;
  std::string line;
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) {
    if (c == '\n') {
      lines.push_back(std::exchange(line, {}));
    } else {
      line += static_cast<char>(c);
    }
  }
  return lines;
}

std::vector<std::string> walk(const fs::path& root) {
  std::vector<std::string> paths;
  for (const char* folder : kFolders) {
    if (!fs::exists(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.is_regular_file()) paths.push_back(entry.path().lexically_relative(root).generic_string());
    }
  }
  return paths;
}

}  // namespace

std::vector<SourceFile> tracked_files(const fs::path& root) {
  auto paths = lines_of(fmt::format("git -C '{}' ls-files 2>/dev/null", root.string()));
  if (paths.empty()) paths = walk(root);
  std::vector<SourceFile> files;
  for (const std::string& path : paths) {
    std::ifstream stream(root / path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (text.find('\0') == std::string::npos) files.push_back({path, std::move(text)});
  }
  return files;
}

std::vector<Finding> check_dependencies(const SourceFile& file) {
  std::vector<Finding> findings;
  if (!is_code(file.path)) return findings;
  const Rule* const rule = rule_of(file.path);
  if (rule == nullptr) return {fmt::format("{}: its folder has no rule in lint.cpp", file.path)};
  const auto may_use = allowed(*rule);
  for (const Include& include : includes(file)) {
    const Rule* const target = rule_of(include.path);
    if (target != nullptr && may_use.contains(target->folder)) continue;
    if (target != nullptr) {
      findings.push_back(
          fmt::format("{}:{}: {} may not include {}", file.path, include.line, rule->folder, include.path));
    } else if (include.quoted && include.path.find("generated/") != 0 && !include.path.ends_with(".moc") &&
               !include.path.starts_with("moc_")) {
      findings.push_back(
          fmt::format("{}:{}: \"{}\" is not a path from the root", file.path, include.line, include.path));
    }
  }
  return findings;
}

std::vector<Finding> check_folders(const std::vector<SourceFile>& files) {
  constexpr int kMostFiles = 40;
  std::map<std::string, int> count;
  for (const SourceFile& file : files) {
    if (is_code(file.path)) ++count[fs::path(file.path).parent_path().generic_string()];
  }
  std::vector<Finding> findings;
  for (const auto& [folder, sources] : count) {
    if (sources <= kMostFiles) continue;
    findings.push_back(fmt::format("{} has {} sources, more than {}: give it folders", folder, sources, kMostFiles));
  }
  return findings;
}

std::vector<Finding> check_rules() {
  std::vector<Finding> findings;
  for (const Rule& rule : rules()) {
    for (const Rule& other : rules()) {
      const bool circle =
          &rule < &other && allowed(rule).contains(other.folder) && allowed(other).contains(rule.folder);
      if (circle && rule.folder != "core/base") {
        findings.push_back(fmt::format("{} and {} may include one another", rule.folder, other.folder));
      }
    }
  }
  return findings;
}

std::vector<Finding> check_libraries(const SourceFile& file) {
  struct Library {
    const char* name;
    std::regex header;
    std::vector<std::string_view> folders;
  };
  static const std::vector<Library> libraries{
      {"Qt",
       std::regex("^(Qt[A-Z0-9].*|Q[A-Z].*|qcustomplot.*)"),
       {"views", "app/gui", "resources/packaging", "tests"}},
      {"CUDA", std::regex("^(cuda|cudnn|cupti|nvtx).*", std::regex::icase), {"gpu", "tests/gpu/driver"}},
      {"oneDNN", std::regex("^(oneapi/)?dnnl.*"), {"core/devices/cpu", "tests/devices/cpu"}},
      {"SQLite", std::regex("^sqlite3.*"), {"core/base/sqlite", "tests/support"}},
      {"pybind11", std::regex("^pybind11/.*"), {"app/python"}},
      {"ONNX", std::regex("^(onnx|google/protobuf)/.*"), {"core/formats/onnx", "tests/formats/onnx", "tests/fuzz"}},
  };
  std::vector<Finding> findings;
  if (!is_code(file.path)) return findings;
  for (const Include& include : includes(file)) {
    for (const Library& library : libraries) {
      if (!std::regex_match(include.path, library.header)) continue;
      const bool at_home = std::any_of(library.folders.begin(), library.folders.end(),
                                       [&](std::string_view folder) { return inside(file.path, folder); });
      if (!at_home) {
        findings.push_back(fmt::format("{}:{}: {} is not used here", file.path, include.line, library.name));
      }
    }
  }
  return findings;
}

std::vector<Finding> check_option_names(const std::vector<SourceFile>& files) {
  static const std::regex row(R"re(\.id = "(\w\w+)")re");
  std::set<std::string> flags;
  for (const SourceFile& file : files) {
    if (!inside(file.path, "core") || file.text.find("kOptionTable<") == std::string::npos) continue;
    for (std::sregex_iterator match(file.text.begin(), file.text.end(), row), end; match != end; ++match) {
      const std::string after = file.text.substr(static_cast<std::size_t>(match->position()), 1000);
      if (after.find(".uses = ") > after.find("option(")) continue;  // whoever takes it declares it
      std::string flag = "--" + (*match)[1].str();
      std::ranges::replace(flag, '_', '-');
      flags.insert(flag);
    }
  }
  static const std::regex literal(R"re("(?:[^"\\\n]|\\.)*")re");
  static const std::regex word(R"re(--[a-z][a-z-]+)re");
  static const std::regex comment(R"re(//[^\n]*)re");
  std::vector<Finding> findings;
  for (const SourceFile& file : files) {
    const bool any =
        std::ranges::any_of(flags, [&](const std::string& flag) { return file.text.find(flag) != std::string::npos; });
    if (!any || !is_code(file.path) || inside(file.path, "tests")) continue;
    const std::string code = std::regex_replace(file.text, comment, "");
    for (std::sregex_iterator text(code.begin(), code.end(), literal), end; text != end; ++text) {
      const std::string said = text->str();
      for (std::sregex_iterator name(said.begin(), said.end(), word), none; name != none; ++name) {
        const bool own = code.find("add_option(\"" + name->str()) != std::string::npos;
        if (flags.contains(name->str()) && !own) {
          findings.push_back(fmt::format("{}: {} is the name of an option that has a row", file.path, name->str()));
        }
      }
    }
  }
  return findings;
}

std::vector<Finding> check_machine_paths(const SourceFile& file) {
  static const std::regex pattern(R"((^|[^A-Za-z0-9_.}])/(home|work|root|Users|mnt)/[A-Za-z0-9_])");
  std::vector<Finding> findings;
  std::istringstream lines(file.text);
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    if (line.size() < 10000 && std::regex_search(line, pattern)) {
      findings.push_back(fmt::format("{}:{}: a path of one machine: {}", file.path, number, line));
    }
  }
  return findings;
}

namespace {

// Without what is no word: places of arguments, tags, escapes and entities.
std::string words_in(const std::string& literal) {
  static const std::regex no_word(R"(%L?\d+|<[^>]*>|\\.|&\w+;)");
  return std::regex_replace(literal, no_word, " ");
}

}  // namespace

std::vector<Finding> check_untranslated(const SourceFile& file) {
  static const std::regex call(
      R"re(\b(setText|setToolTip|setWindowTitle|setStatusTip|setPlaceholderText|setAccessibleName|setAccessibleDescription|)re"
      R"re(setTitle|setLabelText|setInformativeText|setWhatsThis|setSuffix|setPrefix|addAction|addMenu|addSection|addTab|)re"
      R"re(addItem|addRow|addButton|showNote|showError|setLabel|drawText|QLabel|QPushButton|QToolButton|QCheckBox|)re"
      R"re(QRadioButton|QGroupBox)\(\s*(?:QStringLiteral\(|QLatin1String\(|QString::from(?:Utf8|Latin1)\()?"((?:[^"\\]|\\.)*)")re");
  static const std::regex own(R"(\bQString\s+tr\s*\()");
  static const std::regex word("[A-Za-z]{3,}");
  std::vector<Finding> findings;
  if (!is_code(file.path) || !(inside(file.path, "views") || inside(file.path, "app/gui"))) return findings;
  const auto line_of = [&](std::ptrdiff_t at) {
    return 1 + std::count(file.text.begin(), file.text.begin() + at, '\n');
  };
  for (std::sregex_iterator it(file.text.begin(), file.text.end(), call), end; it != end; ++it) {
    if (!std::regex_search(words_in((*it)[2]), word)) continue;
    findings.push_back(
        fmt::format("{}:{}: {}() of words without tr()", file.path, line_of(it->position()), (*it)[1].str()));
  }
  for (std::sregex_iterator it(file.text.begin(), file.text.end(), own), end; it != end; ++it) {
    findings.push_back(fmt::format("{}:{}: lupdate does not know whose tr() this is; use Q_DECLARE_TR_FUNCTIONS",
                                   file.path, line_of(it->position())));
  }
  return findings;
}

std::vector<Finding> check_links(const SourceFile& file, const fs::path& root) {
  static const std::regex link(
      R"(\]\(([^)#\s]+)[^)]*\)|`((?:core|app|gpu|views|models|tests|resources)/[A-Za-z0-9_./-]+)`)");
  std::vector<Finding> findings;
  if (!file.path.ends_with(".md") || file.path == "CHANGELOG.md") return findings;
  const fs::path folder = (root / file.path).parent_path();
  std::istringstream lines(file.text);
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    for (std::sregex_iterator it(line.begin(), line.end(), link), end; it != end; ++it) {
      const std::string target = (*it)[1].matched ? (*it)[1] : (*it)[2];
      if (target.find("://") != std::string::npos || target.starts_with("mailto:")) continue;
      fs::path path = (*it)[1].matched ? folder / target : root / target;
      // `core/plan/lower` may be said of a header with its source.
      if (fs::exists(path) || fs::exists(path.string() + ".h") || fs::exists(path.string() + ".cpp")) continue;
      findings.push_back(fmt::format("{}:{}: there is no {}", file.path, number, target));
    }
  }
  return findings;
}

}  // namespace iosx::lint
