// The entry point: hands the command line to the table of commands.
#include "cli/command.h"

#include <csignal>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  // A reader that leaves, or a limit on file sizes, is seen by the write that fails.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  thinair::cli::ResultSink out(stdout);
  thinair::cli::FileSink err(stderr);
  thinair::cli::Console console{out, err};
  return static_cast<int>(thinair::cli::run(words, console));
}
