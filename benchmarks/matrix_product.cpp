// The limit that training speed is held against: how fast this machine multiplies square matrices of floats with Eigen,
// built for its own instruction set (-O3 -march=native).
// usage: matrix_product SIZE THREADS; prints floating-point operations a second (a multiplication and an addition are two)
// of all threads together, each over its own processor time: on a machine that others use too, the clock would say how much
// they left.
#include <time.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int size = std::atoi(argv[1]), threads = std::atoi(argv[2]);
  if (size < 1 || threads < 1) return 2;
  constexpr int rounds = 5;
  double checksum = 0;
  std::vector<double> rate(rounds, 0.0);
#pragma omp parallel num_threads(threads) reduction(+ : checksum)
  {
    // One product a thread, as in training, where threads work on different sequences.
    Eigen::MatrixXf a(size, size), b(size, size), c(size, size);
    for (int i = 0; i < size * size; ++i) {
      a.data()[i] = static_cast<float>(i % 7 - 3);
      b.data()[i] = static_cast<float>(i % 5 - 2);
    }
    const double operations = 2.0 * size * size * size;
    const int repeats = static_cast<int>(2e10 / operations) + 1;
    for (int round = 0; round < rounds; ++round) {
#pragma omp barrier
      const double begin = thread_seconds();
      for (int i = 0; i < repeats; ++i) {
        c.noalias() = a * b;
        checksum += static_cast<double>(c(0, 0));
      }
      const double mine = operations * repeats / (thread_seconds() - begin);
#pragma omp atomic
      rate[static_cast<std::size_t>(round)] += mine;
    }
  }
  const double best = *std::max_element(rate.begin(), rate.end());
  std::printf("%.4g\n", best);
  return checksum == 12345 ? 1 : 0;  // the sum is used, so the products are not optimized away
}
