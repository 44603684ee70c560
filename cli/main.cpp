// The entry point: hands the command line to the table of commands.
#include "cli/command.h"

int main(int argc, char** argv) { return thinair::cli::run(argc, argv); }
