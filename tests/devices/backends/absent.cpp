// A library that is not there when the program runs: its file has another name than those that link it look for.
extern "C" int ios_absent_function();
int ios_absent_function() { return 1; }
