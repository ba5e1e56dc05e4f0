// Writes the header in which lupdate finds what core says: said_messages ROOT HEADER.

#include <fstream>

#include "tests/translations/core_messages.h"

int main(int count, char** arguments) {
  if (count != 3) return 2;
  std::ofstream header(arguments[2], std::ios::binary);
  header << iosx::test::translatable_header(iosx::test::said_messages(arguments[1]));
  return header.flush() ? 0 : 1;
}
