// What a pixel body may ask of its element, and the answers of the plain numbers (one pixel). A pack of the host
// answers the same questions for W pixels at once (cpu/pack.hpp); bodies are templates over `Lane` (double or a pack of
// doubles) and `Sample` (float or a pack of floats), and find the functions of packs by argument-dependent lookup.
//   + - * /  unary -  < > <= >= == !=  & | of masks        select(mask, a, b)   any(mask)
//   without(mask, those)                                   mask & ~those
//   get(lane, i)  set(lane, i, value)                      one pixel of it
//   widen(sample)                                          float to double
//   lookup(table, lane)                                    table[trunc(lane)], a Sample
//   float_root(lane)                                       float32 root of the float32 value, a Sample
//   root(lane)
//   add_phasor(angle, amount, real, imaginary)             adds amount * exp(j angle)
#pragma once

#include <cmath>

#include "core/host_device.hpp"

namespace outcrop::model::pixel {

OUTCROP_HD inline double select(bool mask, double a, double b) { return mask ? a : b; }
OUTCROP_HD inline float select(bool mask, float a, float b) { return mask ? a : b; }
OUTCROP_HD inline bool any(bool mask) { return mask; }
OUTCROP_HD inline bool without(bool mask, bool those) { return mask && !those; }

OUTCROP_HD inline double get(double lane, int) { return lane; }
OUTCROP_HD inline void set(double& lane, int, double value) { lane = value; }

OUTCROP_HD inline double widen(float sample) { return static_cast<double>(sample); }
OUTCROP_HD inline float lookup(const float* table, double index) { return table[static_cast<int>(index)]; }
OUTCROP_HD inline float float_root(double value) { return sqrtf(static_cast<float>(value)); }
OUTCROP_HD inline double root(double value) { return sqrt(value); }
OUTCROP_HD inline void add_phasor(double angle, double amount, double& real, double& imaginary) {
  real += amount * cos(angle);
  imaginary += amount * sin(angle);
}

}  // namespace outcrop::model::pixel
