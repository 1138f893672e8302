// The verbs of the command line, one file each. Each declares its options and, once parsed, leaves what to do in `action`.
#pragma once
#include <functional>

#include "core/errors.hpp"

namespace CLI {
class App;
}

namespace popgrad {

using Action = std::function<ExitCode()>;

void add_verify(CLI::App& app, Action& action);
void add_claims(CLI::App& app, Action& action);
void add_gradient(CLI::App& app, Action& action);
void add_fit(CLI::App& app, Action& action);
void add_steps(CLI::App& app, Action& action);
void add_train(CLI::App& app, Action& action);
void add_sweep(CLI::App& app, Action& action);
void add_flow(CLI::App& app, Action& action);
void add_emergence(CLI::App& app, Action& action);
void add_compare(CLI::App& app, Action& action);
void add_report(CLI::App& app, Action& action);
void add_corpus(CLI::App& app, Action& action);

}  // namespace popgrad
