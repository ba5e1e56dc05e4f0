// Files are told apart by one look: each kind by its content, a run and a project by name too.
#include <sys/stat.h>

#include "core/formats/file_kind.h"
#include "core/formats/npy.h"
#include "core/formats/schedule_file.h"
#include "core/model/schedule/baselines.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"
#include "tests/support/store_files.h"

namespace iosx {
namespace {

using test::Folder;

TEST(FileKinds, AreToldApartByContent) {
  const Folder folder;
  const auto kind = [&](const std::string& bytes) {
    test::write_file(folder / "file", bytes);
    return file_kind(folder / "file");
  };
  EXPECT_EQ(kind("\x08\x07\x12\x04 onnx"), FileKind::kOnnx);
  EXPECT_EQ(kind("{\"name\": \"net\", \"blocks\": []}"), FileKind::kJson);
  EXPECT_EQ(kind(schedule_to_json(test::diamond(), one_by_one_schedule(test::diamond()))), FileKind::kSchedule);
  EXPECT_EQ(kind("{\"traceEvents\": []}"), FileKind::kExternal);
  EXPECT_EQ(kind("\xEF\xBB\xBF{\"traceEvents\": []}"), FileKind::kExternal);
  EXPECT_EQ(kind("\xEF\xBB\xBF{\"name\": \"net\", \"blocks\": []}"), FileKind::kJson);
  std::string utf16("\xFF\xFE");
  for (const char c : std::string_view("{\"traceEvents\": []}")) utf16 += {c, '\0'};
  EXPECT_EQ(kind(utf16), FileKind::kExternal);
  EXPECT_EQ(kind(std::string("SQLite format 3\0", 16) + std::string(200, '\0')), FileKind::kExternal);
  EXPECT_EQ(kind("{\"Layers\": [{\"Name\": \"conv\", \"Inputs\": []}]}"), FileKind::kExternal)
      << "TensorRT's inspector";
  EXPECT_EQ(kind("digraph dot {\nsubgraph cluster_1 {"), FileKind::kExternal)
      << "a drawing, which is refused with a remedy";
  EXPECT_EQ(kind("{\"name\": \"digraph {\", \"blocks\": []}"), FileKind::kJson);
  EXPECT_EQ(kind(std::string("PK\x03\x04") + std::string(26, '\0') + "mimetype" + std::string(kRunMimeType)),
            FileKind::kRun);
  EXPECT_EQ(kind(std::string("PK\x03\x04") + std::string(26, '\0') + "mimetype" + std::string(kProjectMimeType)),
            FileKind::kProject);
  EXPECT_EQ(kind("PK\x03\x04"), FileKind::kUnknown);
  EXPECT_EQ(kind("plain words"), FileKind::kUnknown);
  EXPECT_EQ(kind(""), FileKind::kUnknown);
}

TEST(FileKinds, AStoreIsNoProfileOfAnotherProgramAlthoughBothAreDatabases) {
  const Folder folder;
  ASSERT_TRUE(test::open_store(folder / "kept"));
  EXPECT_EQ(file_kind(folder / "kept"), FileKind::kStore);
}

TEST(FileKinds, RunsAndProjectsAreKnownByNameWhateverIsInThem) {
  const Folder folder;
  test::write_file(folder / "x.iosrun", "{}");
  EXPECT_EQ(file_kind(folder / "x.iosrun"), FileKind::kRun);
  EXPECT_EQ(file_kind(folder / "absent.iosproj"), FileKind::kProject);
  EXPECT_EQ(file_kind(folder / "ABSENT.IOSPROJ"), FileKind::kProject);
  test::write_file(folder / "TIMES.CSV", "operator,us\n");
  EXPECT_EQ(file_kind(folder / "TIMES.CSV"), FileKind::kExternal);
}

TEST(FileKinds, WhatIsNoFileIsAnErrorAndIsNotWaitedFor) {
  const Folder folder;
  EXPECT_THAT(identify(folder / "absent").error().text(), HasSubstr("no such file"));
  EXPECT_THAT(identify(folder.path()).error().text(), HasSubstr("is a folder"));
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(identify(folder / "pipe").error().text(), HasSubstr("pipe"));
  EXPECT_EQ(file_kind(folder / "pipe"), FileKind::kUnknown);
}

std::string refusal(const std::string& text) {
  const auto header = parse_npy_header(text);
  EXPECT_FALSE(header) << text;
  return header ? std::string() : header.error().what.text();
}

// What numpy.lib.format reads as the same, whoever wrote it.
TEST(NpyHeader, IsALiteralOfPythons) {
  for (const char* text : {"{'descr': '<f4', 'fortran_order': True, 'shape': (1, 3, 8, 8), }",
                           "{'descr':'<f4','fortran_order':True,'shape':(1,3,8,8)}",
                           R"({"descr": "<f4", "fortran_order": True, "shape": (1, 3, 8, 8)})",
                           "{'shape': (1, 3, 8, 8,), 'descr': 'float32', 'fortran_order':True}",
                           "{u'descr': u'<f4', 'fortran_order': True, 'shape': (1L, 3L, 8L, 8L)}",
                           " {\n'descr' :\t'f4' , 'fortran_order' : True , 'shape' : ( 1 , 3 , 8 , 8 ) , } \n"}) {
    const auto header = parse_npy_header(text);
    ASSERT_TRUE(header) << text << ": " << header.error().text();
    EXPECT_EQ(header->form.kind, 'f') << text;
    EXPECT_EQ(header->form.bytes, 4U) << text;
    EXPECT_FALSE(header->form.swapped) << text;
    EXPECT_TRUE(header->columns) << text;
    EXPECT_THAT(header->shape, ElementsAre(1, 3, 8, 8)) << text;
  }
  EXPECT_THAT(parse_npy_header("{'descr': '>i8', 'fortran_order': False, 'shape': ()}")->shape, IsEmpty());
  EXPECT_TRUE(parse_npy_header("{'descr': '>i8', 'fortran_order': False, 'shape': ()}")->form.swapped);
  EXPECT_THAT(parse_npy_header("{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}")->shape, ElementsAre(3));
  EXPECT_EQ(parse_npy_header("{'descr': '?', 'fortran_order': False, 'shape': (0,)}")->form.kind, 'b');
}

TEST(NpyHeader, WhatNumPyRefusesIsRefused) {
  const auto with = [](const std::string& descr, const std::string& order, const std::string& shape) {
    return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + "}";
  };
  for (const char* shape : {"(3)", "3", "[1, 3]", "(1, -3)", "(1, x)", "(1, '3')", "(1, 3.0)", "(1 3)", "(True,)",
                            "(01,)", "(9223372036854775808,)", "(1,,3)", "(1, 3", "()) ", "None"}) {
    EXPECT_THAT(refusal(with("'<f4'", "False", shape)), HasSubstr("has a damaged header")) << shape;
  }
  for (const char* order : {"0", "'False'", "false", "None", "()"}) {
    EXPECT_THAT(refusal(with("'<f4'", order, "(3,)")), HasSubstr("has a damaged header")) << order;
  }
  for (const char* descr : {"[('<f4', 'O')]", "[('x', '<f4'), ('y', '<f4')]", "('<f4', (2,))", "'(2,)<f4'", "'2f4'",
                            "'f4,f4'", "{'names': ['x'], 'formats': ['<f4']}"}) {
    EXPECT_THAT(refusal(with(descr, "False", "(3,)")), HasSubstr("structures or arrays")) << descr;
  }
  for (const char* descr : {"'<c8'", "'<U4'", "'|S4'", "'O'", "'<M8[s]'", "'<f16'", "'<f3'", "''", "'<'", "'V4'"}) {
    EXPECT_THAT(refusal(with(descr, "False", "(3,)")), HasSubstr("does not contain numbers")) << descr;
  }
  for (const char* text : {"", "{}", "()", "{'descr': '<f4', 'shape': (3,)}", "nonsense",
                           "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'more': 1}",
                           "{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': (3,)}",
                           "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)} and more",
                           "{'descr': '<f4' 'fortran_order': False, 'shape': (3,)}",
                           "{'descr': '<f4, 'fortran_order': False, 'shape': (3,)}"}) {
    EXPECT_THAT(refusal(text), HasSubstr("has a damaged header")) << text;
  }
  EXPECT_THAT(refusal(std::string(100'000, '(')), HasSubstr("has a damaged header"));
}

}  // namespace

}  // namespace iosx
