// A command of the tool, and the table of them all.
#pragma once

namespace thinair::cli {

int run(int argc, char** argv);

} // namespace thinair::cli
