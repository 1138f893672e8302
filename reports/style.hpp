// What all figures look like: one palette, one font size, one page width.
#pragma once
#include <string>

namespace popgrad {

// Okabe and Ito's colours, told apart with any colour vision; every series has its own dash or point shape as well.
namespace colour {
inline constexpr const char* black = "#000000";
inline constexpr const char* orange = "#E69F00";
inline constexpr const char* sky = "#56B4E9";
inline constexpr const char* green = "#009E73";
inline constexpr const char* blue = "#0072B2";
inline constexpr const char* vermillion = "#D55E00";
inline constexpr const char* purple = "#CC79A7";
inline constexpr const char* grey = "#767676";  // 4.5:1 on white
}  // namespace colour

enum class FigureFormat { svg, pdf };
const char* extension(FigureFormat format);  // "svg", "pdf"

// `set terminal ...` for a figure of this size in print; text is 11 pt in both formats.
std::string terminal(FigureFormat format, double width_cm, double height_cm);

// Settings that every figure starts from: TSV input with a header, light grid, border left and below.
std::string common_style();

// Smallest of 1, 2, 5 times a power of ten that divides `range` into at most `most` steps. HypothesisError unless both are
// positive and finite.
double tic_step(double range, int most);

}  // namespace popgrad
