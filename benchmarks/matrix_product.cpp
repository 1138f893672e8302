// The limit that training speed is held against: how fast this machine multiplies square matrices of doubles with Eigen.
// usage: matrix_product SIZE THREADS; prints floating-point operations a second (a multiplication and an addition are two).
#include <Eigen/Dense>
#include <chrono>
#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int size = std::atoi(argv[1]), threads = std::atoi(argv[2]);
  if (size < 1 || threads < 1) return 2;
  double checksum = 0, best = 0;
#pragma omp parallel num_threads(threads) reduction(+ : checksum)
  {
    // One product a thread, as in training, where threads work on different sequences.
    Eigen::MatrixXd a(size, size), b(size, size), c(size, size);
    for (int i = 0; i < size * size; ++i) {
      a.data()[i] = i % 7 - 3;
      b.data()[i] = i % 5 - 2;
    }
    const int repeats = static_cast<int>(2e8 / (2.0 * size * size * size)) + 1;
    for (int round = 0; round < 5; ++round) {
#pragma omp barrier
      const auto begin = std::chrono::steady_clock::now();
      for (int i = 0; i < repeats; ++i) {
        c.noalias() = a * b;
        checksum += c(0, 0);
      }
#pragma omp barrier
      const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
#pragma omp master
      {
        const double rate = 2.0 * size * size * size * repeats * threads / elapsed.count();
        if (rate > best) best = rate;
      }
    }
  }
  std::printf("%.4g\n", best);
  return checksum == 12345 ? 1 : 0;  // the sum is used, so the products are not optimized away
}
