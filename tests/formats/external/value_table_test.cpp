#include "core/formats/external/value_table.h"

#include <gmock/gmock.h>

namespace iosx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Optional;

ValueTable table_in(std::string_view text) {
  auto table = read_value_table(text, "values.csv");
  EXPECT_TRUE(table) << table.error().text();
  return table ? std::move(*table) : ValueTable{};
}

std::string value_refusal(std::string_view text) {
  const auto table = read_value_table(text, "values.csv");
  EXPECT_FALSE(table);
  const std::string line = table ? std::string() : table.error().text();
  EXPECT_EQ(line.find('\n'), std::string::npos);
  return line;
}

std::vector<std::string> titles_of(const ValueTable& table) {
  std::vector<std::string> titles;
  for (const ValueColumn& column : table.columns) titles.push_back(column.title);
  return titles;
}

TEST(ValueTable, TheHeaderSaysWhereNamesStand) {
  const ValueTable table = table_in("type,memory (MB),Name,sparsity\nConv,1.5,a,0.25\nRelu,2,b,\n");
  EXPECT_THAT(table.names, ElementsAre("a", "b"));
  EXPECT_THAT(titles_of(table), ElementsAre("memory (MB)", "sparsity"));
  EXPECT_THAT(table.columns[0].values, ElementsAre(Optional(1.5), Optional(2.0)));
  EXPECT_THAT(table.columns[1].values, ElementsAre(Optional(0.25), testing::Eq(std::nullopt)));
  EXPECT_EQ(table.columns[1].not_numbers, 0U) << "an empty field is no mistake";
  for (const char* header : {"layer,v", "Node Name,v", "kernel_name,v", "operator;v", "anything\tv"}) {
    const char separator = header[std::string_view(header).size() - 2];
    const ValueTable other = table_in(std::string(header) + "\na" + separator + "3\n");
    EXPECT_THAT(other.names, ElementsAre("a")) << header;
    EXPECT_THAT(titles_of(other), ElementsAre("v")) << header;
  }
}

TEST(ValueTable, WithoutAHeaderNamesAreTheFirstWords) {
  const ValueTable table = table_in("1,a,0.5\n2,b,0.25\n");
  EXPECT_THAT(table.names, ElementsAre("a", "b"));
  EXPECT_THAT(titles_of(table), ElementsAre("column 1", "column 3"));
  // Titles may be numbers where one of them is "name".
  EXPECT_THAT(titles_of(table_in("name,0,1\na,5,6\n")), ElementsAre("0", "1"));
}

TEST(ValueTable, NumbersAreReadAsTheyAreWritten) {
  const ValueTable table = table_in("\xEF\xBB\xBFname,v\r\na,-1e-3\r\nb,\"1,250.5\"\r\nc,+7\r\n");
  EXPECT_THAT(table.columns[0].values, ElementsAre(Optional(-0.001), Optional(1250.5), Optional(7.0)));
}

TEST(ValueTable, WhatIsNoFiniteNumberIsLeftOutAndCounted) {
  const ValueTable table = table_in("name,v\na,1\nb,NaN\nc,inf\nd,n/a\ne,2\nf,1e305\ng,3\nh,4\n");
  EXPECT_EQ(table.names.size(), 8U);
  EXPECT_EQ(table.columns[0].not_numbers, 4U);
  EXPECT_FALSE(table.columns[0].values[1]);
  EXPECT_FALSE(table.columns[0].values[5]);
  // A column that is mostly words is none.
  EXPECT_THAT(titles_of(table_in("name,v,w\na,1,x\nb,2,y\nc,3,7\n")), ElementsAre("v"));
}

TEST(ValueTable, RowsMayBeShort) {
  const ValueTable table = table_in("name,v,w\na,1,2\nb\nc,3\n");
  EXPECT_THAT(table.names, ElementsAre("a", "b", "c"));
  EXPECT_THAT(table.columns[1].values,
              ElementsAre(Optional(2.0), testing::Eq(std::nullopt), testing::Eq(std::nullopt)));
}

TEST(ValueTable, JsonMayBeAnObjectOfNames) {
  const ValueTable plain = table_in(R"({"a": 1, "b": 2.5, "c": null, "d": "NaN"})");
  EXPECT_THAT(plain.names, ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(titles_of(plain), ElementsAre("value"));
  EXPECT_EQ(plain.columns[0].not_numbers, 1U);
  const ValueTable rows = table_in(R"({"a": {"mem": 1, "type": "Conv"}, "b": {"err": -2, "mem": 3}})");
  EXPECT_THAT(titles_of(rows), ElementsAre("mem", "err"));
  EXPECT_THAT(rows.columns[1].values, ElementsAre(testing::Eq(std::nullopt), Optional(-2.0)));
}

TEST(ValueTable, JsonMayBeAListOfObjects) {
  const ValueTable table = table_in(R"([{"name": "a", "mem": 1}, {"mem": 2, "node": "b"}])");
  EXPECT_THAT(table.names, ElementsAre("a", "b"));
  EXPECT_THAT(table.columns[0].values, ElementsAre(Optional(1.0), Optional(2.0)));
  EXPECT_THAT(value_refusal(R"([{"name": "a", "mem": 1}, {"mem": 2}])"), HasSubstr("values.csv: [1]: has no name"));
  EXPECT_THAT(value_refusal(R"([1, 2])"), HasSubstr("has no name"));
}

TEST(ValueTable, JsonMayBeNodeDataOfModelExplorer) {
  const char* within = R"("results": {"a": {"value": 4}, "b": {"value": 5, "bgColor": "red"}}, "gradient": [])";
  for (const std::string& text : {std::string("{") + within + "}", std::string(R"({"main": {)") + within + "}}"}) {
    const ValueTable table = table_in(text);
    EXPECT_THAT(table.names, ElementsAre("a", "b"));
    EXPECT_THAT(titles_of(table), ElementsAre("value"));
  }
}

TEST(ValueTable, BadInputIsOneLine) {
  EXPECT_THAT(value_refusal(""), HasSubstr("values.csv: is empty"));
  EXPECT_THAT(value_refusal(" \n"), HasSubstr("is empty"));
  EXPECT_THAT(value_refusal("name,v\n"), HasSubstr("has no rows"));
  EXPECT_THAT(value_refusal("{}"), HasSubstr("has no rows"));
  EXPECT_THAT(value_refusal("name,v\na,x\nb,y\n"), HasSubstr("has no column of numbers"));
  EXPECT_THAT(value_refusal("name\na\nb\n"), HasSubstr("has no column of numbers"));
  EXPECT_THAT(value_refusal("1,2\n3,4\n"), HasSubstr("has no column of names"));
  EXPECT_THAT(value_refusal("name,v\na,\"1\n"), HasSubstr("values.csv: line 2: a quote is not closed"));
  EXPECT_THAT(value_refusal(R"({"a": 1, "a": 2})"), HasSubstr("appears twice"));
  EXPECT_THAT(value_refusal(R"({"a": 1)"), HasSubstr("values.csv"));
  EXPECT_THAT(value_refusal(std::string_view("a,1\0b", 5)), HasSubstr("is not text"));
}

TEST(ValueTable, TooMuchIsRefusedBeforeItIsHeld) {
  std::string rows = "name,v\n";
  for (int i = 0; i < 500'001; ++i) rows += "a,1\n";
  EXPECT_THAT(value_refusal(rows), HasSubstr("has more than 500000 rows"));
  // A wide row makes all others as wide.
  std::string wide = "a";
  for (int i = 0; i < 999; ++i) wide += ",1";
  wide += "\n";
  for (int i = 0; i < 8'001; ++i) wide += "b,1\n";
  EXPECT_THAT(value_refusal(wide), HasSubstr("has more than 8000000 values"));
  EXPECT_THAT(value_refusal("name" + std::string(1001, ',') + "\n"), HasSubstr("has more than 1000 columns"));
}

TEST(ValueTable, AFileThatIsNotThereIsOneLine) {
  const std::filesystem::path folder = testing::TempDir();
  const auto missing = read_value_table(folder / "there is no such table.csv");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().text(), HasSubstr("there is no such table.csv"));
  EXPECT_FALSE(read_value_table(folder)) << "a folder is no table";
}

}  // namespace
}  // namespace iosx
