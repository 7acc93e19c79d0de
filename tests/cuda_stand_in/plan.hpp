// Plan: what the stand-in is like and what is to go wrong, from the variable OUTCROP_STAND_IN:
// "memory=300000000,call=17".
#pragma once

#include <cstdint>
#include <string>

namespace outcrop::test::stand_in {

struct Plan {
  int devices = 1;                ///< as the driver counts them
  int count_error = 0;            ///< what counting them gives instead
  int driver = 13000;             ///< version of the driver, 0: none
  bool has_kernels = true;        ///< something was compiled for this device
  std::int64_t memory = 1 << 30;  ///< of the device [bytes]
  std::int64_t taken_later = 0;   ///< of it that another program takes once ours has asked what is free [bytes]
  std::int64_t pinned = 1 << 30;  ///< that can be pinned [bytes]
  std::int64_t call = 0;          ///< number of the call that fails, from 1; 0: none
  std::int64_t order = 0;         ///< number of the ordered copy or kernel that fails when it runs, from 1; 0: none
  int error = 719;                ///< what they give; 719: a kernel came to grief
  bool is_lasting = false;        ///< every call after the failed one gives that too, as after a kernel's failure
  std::int64_t delay_us = 0;      ///< before each ordered copy and kernel
  std::string log;                ///< file that is written at the end
};

/// Ends the program with a sentence when the variable cannot be read.
Plan plan_of_environment();

}  // namespace outcrop::test::stand_in
