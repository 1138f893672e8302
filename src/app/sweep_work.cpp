#include "app/sweep_work.hpp"

#include <omp.h>

#include <chrono>
#include <exception>
#include <mutex>
#include <optional>

#include "app/metrics_table.hpp"
#include "core/errors.hpp"
#include "numerics/run_summary.hpp"
#include "numerics/training_run.hpp"

namespace popgrad {
namespace {

namespace fs = std::filesystem;

// What runs at work share.
class Board {
 public:
  Board(const fs::path& folder, const SweepGrid& grid, std::vector<RunState>& states, const SweepHooks& hooks)
      : folder_(folder), grid_(grid), states_(states), hooks_(hooks) {
    now_.runs = static_cast<int>(grid.runs.size());
    for (std::size_t i = 0; i < grid.runs.size(); ++i) {
      if (states[i].status == RunStatus::pending)
        now_.all_updates += grid.options(grid.runs[i]).steps;
      else
        ++now_.done;
    }
  }

  const std::atomic<bool>& stop() const { return stop_; }
  bool stopped() {
    if (hooks_.stop != nullptr && hooks_.stop->load()) stop_ = true;
    return stop_;
  }

  void begin() {
    const std::lock_guard lock(mutex_);
    ++now_.at_work;
    show();
  }
  // `updates` since the last call of this run, each of a batch; `continued` of them were made by an earlier call.
  void advance(std::int64_t updates, std::int64_t continued, int batch) {
    const std::lock_guard lock(mutex_);
    now_.updates += updates;
    sequences_ += (updates - continued) * batch;
    // Small runs make thousands of updates a second; a terminal does not show them all.
    if (std::chrono::steady_clock::now() - shown_ > std::chrono::milliseconds(50)) show();
  }
  void end(std::size_t i, const std::optional<RunState>& state) {
    const std::lock_guard lock(mutex_);
    --now_.at_work;
    if (state) {
      states_[i] = *state;
      ++now_.done;
      write_sweep_state(folder_, grid_, states_, hooks_.program);
    }
    show();
  }
  void fail(std::exception_ptr problem) {
    const std::lock_guard lock(mutex_);
    if (!failed_) failed_ = std::move(problem);
    stop_ = true;
  }
  void rethrow() const {
    if (failed_) std::rethrow_exception(failed_);
  }

 private:
  void show() {
    shown_ = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(shown_ - start_).count();
    now_.sequences_per_second = seconds > 0 ? static_cast<double>(sequences_) / seconds : 0;
    hooks_.progress(now_);
  }

  const fs::path& folder_;
  const SweepGrid& grid_;
  std::vector<RunState>& states_;
  const SweepHooks& hooks_;
  std::mutex mutex_;
  SweepProgress now_;
  std::int64_t sequences_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), shown_;
  std::atomic<bool> stop_{false};
  std::exception_ptr failed_;
};

// Whether there is a run in the folder to continue, and if not, why not: a run may have been killed before it was whole.
struct Begun {
  bool whole = false;
  std::string why;
};
Begun begun(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) return {};
  try {
    RunFolder::open(folder);
    return {true, ""};
  } catch (const InputError& error) {
    return {false, error.what()};
  }
}

// Its state if it is done, finished or diverged.
std::optional<RunState> carry_out(const fs::path& folder, const TrainOptions& options, const BigramCounts& corpus,
                                  Board& board, const SweepHooks& hooks) {
  const Begun old = begun(folder);
  TrainHooks train_hooks;
  train_hooks.program = hooks.program;
  train_hooks.stop = &board.stop();
  std::int64_t shown = 0;
  bool first = true;
  train_hooks.progress = [&](const TrainProgress& p) {
    const std::int64_t made = p.step - shown;
    board.advance(made, first && made > 1 ? made - 1 : 0, options.batch);
    shown = p.step;
    first = false;
    board.stopped();
  };
  try {
    const TrainResult result = train(options, corpus, folder, old.whole, train_hooks);
    if (!result.finished) return std::nullopt;
    board.advance(options.steps - shown, options.steps - shown, options.batch);  // none, or all if it was done already
    const int N = options.N(corpus);
    const auto since = diverged(folder.string(), RunFolder::open(folder).metrics_text(), N);
    if (since) return RunState{RunStatus::diverged, excess_loss(result.final, since, N)};
    return RunState{RunStatus::finished, ""};
  } catch (const Error& error) {
    if (error.code() == ExitCode::usage && !old.why.empty()) throw Error(ExitCode::usage, old.why);  // damaged, not half made
    if (error.code() != ExitCode::refuted) throw;  // refuted: a weight or a loss is no longer finite
    board.advance(options.steps - shown, options.steps - shown, options.batch);
    std::string why = error.what();  // it may name the checkpoint: relative to the run, so that a sweep can be moved
    const std::string place = folder.string() + "/";
    if (const std::size_t at = why.find(place); at != std::string::npos) why.erase(at, place.size());
    return RunState{RunStatus::diverged, why};
  }
}

}  // namespace

bool work_on_sweep(const fs::path& folder, const SweepGrid& grid, std::vector<RunState>& states, int threads,
                   const SweepHooks& hooks) {
  Board board(folder, grid, states, hooks);
  const auto n = static_cast<std::int64_t>(grid.runs.size());
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (std::int64_t k = 0; k < n; ++k) {
    omp_set_num_threads(1);  // of the sums inside a run; a team of one would leave them all threads
    const auto i = static_cast<std::size_t>(k);
    if (states[i].status != RunStatus::pending || board.stopped()) continue;
    const SweepRun& run = grid.runs[i];
    board.begin();
    std::optional<RunState> state;
    try {
      state = carry_out(run_folder(folder, run), grid.options(run), *grid.settings[run.setting].corpus, board, hooks);
    } catch (const Error& error) {
      board.fail(std::make_exception_ptr(Error(error.code(), "run '" + run.folder + "': " + error.what())));
    } catch (...) {
      board.fail(std::current_exception());
    }
    try {
      board.end(i, state);
    } catch (...) {
      board.fail(std::current_exception());
    }
  }
  board.rethrow();
  for (const RunState& state : states)
    if (state.status == RunStatus::pending) return false;
  return true;
}

}  // namespace popgrad
