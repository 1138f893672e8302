#include "benchmarks/training_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "benchmarks/training_work.hpp"
#include "check/power_law.hpp"
#include "core/errors.hpp"
#include "reports/figure.hpp"
#include "reports/style.hpp"

namespace popgrad {
namespace {

constexpr Point published{256, 128, 512, 1};
constexpr int scan_batch = 128;  // over T and d, where time a sequence hardly depends on it

struct Time {
  double seconds = 0, error = 0;  // a batch: median of the repetitions and half the range of their middle half
};

std::optional<Time> time_of(const std::vector<Measurement>& measured, double Measurement::*clock, Kind kind,
                            const Point& at) {
  std::vector<double> seconds;
  for (const Measurement& m : measured)
    if (m.kind == kind && m.at == at) seconds.push_back(m.*clock);
  if (seconds.empty()) return {};
  std::ranges::sort(seconds);
  const std::size_t n = seconds.size();
  return Time{seconds[n / 2], (seconds[(3 * n) / 4] - seconds[n / 4]) / 2};
}

struct Curve {
  Kind kind = Kind::sampler;
  std::vector<double> size, time, error;  // microseconds a sequence
  std::optional<PowerLaw> law;
};

std::vector<Curve> curves(const std::vector<Measurement>& measured, const std::vector<Point>& along, int Point::*axis) {
  std::vector<Curve> result;
  for (const Kind kind : kinds) {
    if (kind == Kind::update) continue;  // once a batch, whatever its size
    Curve curve{kind, {}, {}, {}, {}};
    for (const Point& at : along)
      if (const auto time = time_of(measured, &Measurement::processor, kind, at)) {
        curve.size.push_back(at.*axis);
        curve.time.push_back(1e6 * time->seconds / at.batch);
        curve.error.push_back(1e6 * time->error / at.batch);
      }
    if (curve.size.size() >= 4) curve.law = fit_power_law(curve.size, curve.time, curve.error);
    if (!curve.size.empty()) result.push_back(curve);
  }
  return result;
}

std::vector<Point> along(int Point::*axis, const std::vector<int>& sizes) {
  std::vector<Point> result;
  for (const int size : sizes) {
    Point p = published;
    p.batch = scan_batch;
    p.*axis = size;
    result.push_back(p);
  }
  return result;
}

std::vector<Point> over_T() { return along(&Point::T, {32, 64, 128, 256, 512}); }
std::vector<Point> over_d() { return along(&Point::d, {32, 64, 128, 256}); }
std::vector<Point> over_batch() { return along(&Point::batch, {32, 64, 256, 512, 1024}); }

struct Line {
  double exponent = 0, error = 0;           // error: of the data, and the scatter of the points about the line
  double middle_size = 0, middle_time = 0;  // logarithms of the point that the line goes through
};

Line line(const Curve& curve) {
  Line result{curve.law->pure.value, 0, 0, 0};
  const auto n = static_cast<double>(curve.size.size());
  for (std::size_t i = 0; i < curve.size.size(); ++i) {
    result.middle_size += std::log(curve.size[i]) / n;
    result.middle_time += std::log(curve.time[i]) / n;
  }
  double scatter = 0, spread = 0;
  for (std::size_t i = 0; i < curve.size.size(); ++i) {
    const double x = std::log(curve.size[i]) - result.middle_size;
    const double off = std::log(curve.time[i]) - result.middle_time - result.exponent * x;
    scatter += off * off;
    spread += x * x;
  }
  result.error = std::hypot(curve.law->pure.error, std::sqrt(scatter / (n - 2) / spread));
  return result;
}

FigureSpec figure(const std::vector<Curve>& by_T, const std::vector<Curve>& by_d) {
  FigureSpec spec;
  spec.name = "training_time";
  spec.width_cm = 24;
  spec.height_cm = 11;
  constexpr const char* colours[] = {colour::grey, colour::blue, colour::orange, colour::green, colour::vermillion};
  spec.script = fmt::format("set multiplot layout 1,2 title 'Processor time of training, one thread, batch {}' noenhanced\n",
                            scan_batch);
  spec.script +=
      "set logscale xy\nset ylabel 'microseconds a sequence'\nset format y '%g'\nset key top left Left reverse samplen 2\n";
  const auto panel = [&](const std::vector<Curve>& list, const std::string& axis, const std::string& title,
                         const std::string& range) {
    spec.script += fmt::format(
        "set xlabel '{}'\nset title '{}' noenhanced\nset xtics ({}) \nset xrange [{}]\nset yrange [0.1:1e5]\nplot ", axis,
        title, axis == "T" ? "32, 64, 128, 256, 512" : "32, 64, 128, 256", range);
    std::string separator;
    for (const Curve& curve : list) {
      const auto index = static_cast<std::size_t>(curve.kind);
      const std::size_t column = spec.table.columns.size() + 1;
      for (const char* part : {"", " error"})
        spec.table.columns.push_back(fmt::format("{} over {}{}", name(curve.kind), axis, part));
      const Line fit = curve.law ? line(curve) : Line{};
      const std::string power = curve.law ? fmt::format(", exponent {:.2f} ± {:.2f}", fit.exponent, fit.error) : "";
      spec.script += fmt::format(
          "{0}DATA using {1}:{2}:{3} skip 1 with yerrorbars pointtype {4} pointsize 0.8 linecolor rgb '{5}' title '{6}{7}'",
          separator, axis == "T" ? 1 : 2, column, column + 1, 4 + 2 * std::min<std::size_t>(index, 3), colours[index],
          name(curve.kind), power);
      separator = ", ";
      if (curve.law)
        spec.script += fmt::format(", exp({:.6g} + {:.6g} * (log(x) - {:.6g})) with lines linecolor rgb '{}' notitle",
                                   fit.middle_time, fit.exponent, fit.middle_size, colours[index]);
    }
    spec.script += "\n";
  };
  spec.table.columns = {"T", "d"};
  panel(by_T, "T", fmt::format("d = {}", published.d), "24:700");
  panel(by_d, "d", fmt::format("T = {}", published.T), "24:350");
  spec.script += "unset multiplot\n";
  for (std::size_t row = 0; row < 5; ++row) {
    std::vector<double> numbers(2, std::nan(""));
    for (const auto* list : {&by_T, &by_d})
      for (const Curve& curve : *list) {
        const bool there = row < curve.size.size();
        if (there) numbers[list == &by_T ? 0 : 1] = curve.size[row];
        numbers.push_back(there ? curve.time[row] : std::nan(""));
        numbers.push_back(there ? curve.error[row] : std::nan(""));
      }
    spec.table.rows.push_back(numbers);
  }
  return spec;
}

void print_shares(const std::vector<Measurement>& measured, const std::vector<double>& limits) {
  const Operations operations = popgrad::operations(published_training(published.T, published.d, published.batch));
  const double needed = operations.forward + operations.backward;
  fmt::print(
      "\nT = {}, d = {}, batch {}: {:.1f} loss positions a sequence; {:.1f} Mflop forward, {:.1f} Mflop backward ({:.0f} "
      "for the dense code)\n",
      published.T, published.d, published.batch, operations.loss_positions, operations.forward / 1e6,
      operations.backward / 1e6, operations.dense / 1e6);
  for (int threads = 1; threads <= static_cast<int>(limits.size()); ++threads) {
    Point at = published;
    at.threads = threads;
    const auto of = [&](Kind kind, double Measurement::*clock) { return time_of(measured, clock, kind, at); };
    const auto wall = of(Kind::step, &Measurement::seconds), wall_data = of(Kind::sampler, &Measurement::seconds);
    const auto data = of(Kind::sampler, &Measurement::processor), forward = of(Kind::forward, &Measurement::processor),
               gradient = of(Kind::gradient, &Measurement::processor), update = of(Kind::update, &Measurement::processor),
               step = of(Kind::step, &Measurement::processor);
    if (!wall || !wall_data || !data || !forward || !gradient || !update || !step) continue;
    const double limit = limits[static_cast<std::size_t>(threads - 1)];
    const double forward_alone = forward->seconds - data->seconds, backward = gradient->seconds - forward->seconds;
    const auto rate = [&](double seconds) { return at.batch / seconds; };
    const auto part = [&](double seconds) { return 100 * seconds / step->seconds; };
    // Processor seconds of all threads: `threads` of them pass while the clock moves by one, if nobody else uses the
    // machine.
    const auto share = [&](double seconds, double flops) { return 100 * threads * rate(seconds) * flops / limit; };
    fmt::print(
        "{} thread{}: {:.0f} sequences/s by the clock, {:.0f} without data; {:.0f} by processor time, {:.0f} without data\n",
        threads, threads > 1 ? "s" : "", rate(wall->seconds), rate(wall->seconds - wall_data->seconds),
        threads * rate(step->seconds), threads * rate(step->seconds - data->seconds));
    fmt::print(
        "  a large float product runs at {:.0f} Gflop/s, enough for {:.0f} sequences/s: a step uses {:.0f} % of that by the "
        "clock, {:.0f} % by "
        "processor time\n",
        limit / 1e9, limit / needed, 100 * rate(wall->seconds) * needed / limit, share(step->seconds, needed));
    fmt::print(
        "  processor time of a step: data {:.0f} %, forward {:.0f} % ({:.0f} % of the limit), backward {:.0f} % ({:.0f} % "
        "of the limit), "
        "update {:.0f} %; sampler {:.1f} million tokens/s a thread\n",
        part(data->seconds), part(forward_alone), share(forward_alone, operations.forward), part(backward),
        share(backward, operations.backward), part(update->seconds), rate(data->seconds) * at.T / 1e6);
  }
}

}  // namespace

const char* name(Kind kind) {
  constexpr const char* names[] = {"sampler", "forward", "gradient", "update", "step"};
  return names[static_cast<std::size_t>(kind)];
}

std::vector<Point> points(int threads) {
  std::vector<Point> result;
  const auto add = [&](const Point& p) {
    if (std::ranges::find(result, p) == result.end()) result.push_back(p);
  };
  for (int n = 1; n <= threads; ++n) {
    Point p = published;
    p.threads = n;
    add(p);
  }
  for (const auto& list : {over_T(), over_d(), over_batch()})
    for (const Point& p : list) add(p);
  return result;
}

Measurement parse_measurement(const std::string& text, double seconds, double processor) {
  Measurement result;
  result.seconds = seconds;
  result.processor = processor;
  char kind[16] = "";
  const int read = std::sscanf(text.c_str(), "%15[a-z]/T:%d/d:%d/batch:%d/threads:%d", kind, &result.at.T, &result.at.d,
                               &result.at.batch, &result.at.threads);
  const auto found = std::ranges::find_if(kinds, [&](Kind k) { return std::string(name(k)) == kind; });
  require(read == 5 && found != std::end(kinds), "parse_measurement", "text", "kind/T:..", text);
  result.kind = *found;
  return result;
}

void summarize(const std::vector<Measurement>& measured, const std::vector<double>& limits, const std::string& folder) {
  print_shares(measured, limits);
  const auto by_T = curves(measured, over_T(), &Point::T), by_d = curves(measured, over_d(), &Point::d);
  if (by_T.empty() || by_d.empty()) return;  // a filter left nothing to draw
  fmt::print("\nexponents of the processor time a sequence, one thread, batch {}:\n", scan_batch);
  for (const auto* list : {&by_T, &by_d})
    for (const Curve& curve : *list)
      if (curve.law)
        fmt::print("  {:<8} in {}: {:.2f} ± {:.2f}, {:.2f} between the two largest\n", name(curve.kind),
                   list == &by_T ? "T" : "d", line(curve).exponent, line(curve).error, curve.law->local.back().value);
  const FigureOutcome drawn = draw(figure(by_T, by_d), folder);
  for (const auto& file : drawn.files) fmt::print("{}\n", file.string());
  if (!drawn.drawn) fmt::print("not drawn: {}\n", drawn.reason);
}

}  // namespace popgrad
