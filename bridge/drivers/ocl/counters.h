/* counters.h - OA counters of launches in simulated time: one recording of all
 * launches, and Intel's performance counter queues, whose events have a report of their
 * kernel.
 *
 *   IGPU_OA=FILE        a recording, written when the program ends (contract/oa.md)
 *   IGPU_OA_SET=NAME    its metric set (ComputeBasic), and that of queues without one
 *   IGPU_OA_EVERY=TIME  a report by the OA timer, as 10us
 *
 * All of it needs IGPU_TIME=1. Launches of which a sample is timed (IGPU_SAMPLE) are
 * not counted, and repeated launches are simulated each. CTX_ID is the queue's number
 * in the process, from 1. Used by the device thread, but for counters_set(). Tests:
 * tests/ocl/test_ocl_counters.c, test_ocl_oa.sh */
#ifndef IGPU_OCL_COUNTERS_H
#define IGPU_OCL_COUNTERS_H
#include "bridge/drivers/ocl/ocl.h"
#include "bridge/host/sim/sim.h"
#include "igpu/oa.h"
#include "igpu/sample.h"

/* Of Intel's public OpenCL runtime; its headers are not in Debian. */
enum {
    OCL_PROFILING_PERFCOUNTERS = 0x407F, /* CL_PROFILING_COMMAND_PERFCOUNTERS_INTEL */
    OCL_QUEUE_MDAPI_PROPERTIES = 0x425E, /* CL_QUEUE_MDAPI_PROPERTIES_INTEL */
    OCL_QUEUE_MDAPI_CONFIGURATION = 0x425F,
    OCL_QUEUE_MDAPI_ENABLE = 1
};

/* What a report of a performance counter queue is: the query report of Intel's metrics
 * discovery for Gen9, all counters as differences, little endian. Members that the
 * machine has nothing for are 0. */
enum { COUNTERS_REPORT_BYTES = 672 };

/* The set of a performance counter queue's configuration: 0 is IGPU_OA_SET or
 * ComputeBasic, 1 and up the sets in the order of `igpu counters --list`. NULL: none.
 */
const struct oa_set *counters_set(cl_uint configuration);

/* Unofficial calls of Intel's runtime, asked for by name. */
CL_API_ENTRY cl_command_queue CL_API_CALL clCreatePerfCountersCommandQueueINTEL(
    cl_context context, cl_device_id device, cl_command_queue_properties properties,
    cl_uint configuration, cl_int *errcode_ret);
CL_API_ENTRY cl_int CL_API_CALL clSetPerformanceConfigurationINTEL(cl_device_id device,
                                                                   cl_uint count,
                                                                   cl_uint *offsets,
                                                                   cl_uint *values);

/* One launch that is about to be simulated. */
struct counters_launch {
    uint32_t context;
    const struct oa_set *set; /* NULL: no report of its own is wanted */
    uint8_t
        *report; /* out: COUNTERS_REPORT_BYTES for free(), when the launch is over */
    struct igpu_sample begin, end;
};

/* True if anybody counts: then every launch is simulated as a whole. */
bool counters_on(const struct counters_launch *launch);
/* Add samplers to *options, whose config and start are set; *launch stays until
 * counters_end(), which takes what they saw. */
void counters_begin(struct counters_launch *launch, struct sim_options *options);
enum igpu_status counters_end(struct counters_launch *launch,
                              const struct igpu_config *config, struct igpu_err *err);
#endif
