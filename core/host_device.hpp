// OUTCROP_HD: marks the functions that run unchanged on the host and on a device.
#pragma once

#if defined(__CUDACC__)
#define OUTCROP_HD __host__ __device__
#else
#define OUTCROP_HD
#endif
