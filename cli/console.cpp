// Checked writing: every failure is seen, a reader that left is told apart.
#include "cli/console.h"

#include "litmus/text/printable.h"

#include <sys/ioctl.h>
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

std::size_t FileSink::columns() const {
  winsize size{};
  return ::ioctl(::fileno(file_), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void ResultSink::write(std::string_view text) {
  if (!terminal_) return FileSink::write(text);
  begun_ += text;
  const std::size_t whole = begun_.size() - text::unfinished_tail(begun_);
  FileSink::write(text::printable(std::string_view(begun_).substr(0, whole)));
  begun_.erase(0, whole);
}

void ResultSink::flush() {
  if (!begun_.empty()) FileSink::write(text::printable(begun_));
  begun_.clear();
  FileSink::flush();
}

void Console::diagnose(std::string_view text) {
  std::string shown = text::printable(text);
  if (!shown.ends_with('\n')) shown += '\n';
  err.write(shown);
}

} // namespace thinair::cli
