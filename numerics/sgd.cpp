#include "numerics/sgd.hpp"

#include "core/errors.hpp"

namespace popgrad {

void sgd_step(const SgdOptions& options, const std::vector<Map>& moving, const TrainedMaps& gradient, TrainedMaps& velocity,
              TrainedMaps& theta) {
  for (const Map map : moving) {
    const Matrix& g = gradient.at(map);
    Matrix& v = velocity.at(map);
    Matrix& w = theta.at(map);
    require(g.rows() == w.rows() && g.cols() == w.cols() && v.rows() == w.rows() && v.cols() == w.cols(), "sgd_step",
            name(map), "of one shape in gradient, velocity and weights", "different shapes");
    v = options.momentum * v + (g + options.weight_decay * w);
    w -= options.rate * v;
  }
}

}  // namespace popgrad
