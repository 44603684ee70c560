// Checked writing: every failure is seen, a reader that left is told apart.
#include "cli/console.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace thinair::cli {
namespace {

[[noreturn]] void fail() {
  const int error = errno;
  throw WriteError(std::string("cannot write: ") + std::strerror(error), error == EPIPE);
}

} // namespace

void FileSink::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail();
}

void FileSink::flush() {
  if (std::fflush(file_) != 0) fail();
}

bool FileSink::is_terminal() const { return ::isatty(::fileno(file_)) == 1; }

void Console::diagnose(std::string_view text) {
  std::string shown(text);
  for (char& c : shown) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F) c = '?';
  }
  if (!shown.ends_with('\n')) shown += '\n';
  err.write(shown);
}

} // namespace thinair::cli
