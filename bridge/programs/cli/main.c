/* main.c - ./Vigpu: simulate a trace in RTL. */
#include "bridge/engines/fpga/engine_fpga.h"
#include "bridge/engines/rtl/engine_array.h"
#include "bridge/engines/rtl/engine_rtl.h"
#include "bridge/engines/rtl/lockstep.h"
#include "bridge/engines/rtl/values.h"
#include "bridge/programs/cli/run.h"
#include "igpu/program.h"
#include "igpu/ref.h"
#include "igpu_model.h"

int main(int argc, char **argv)
{
    static const struct host_engine_ops *const others[] = {
        &host_engine_array, &host_engine_pipe, &host_engine_pipe_3x8, NULL};
    const struct engine_set engines = {.program = "Vigpu",
                                       .model = IGPU_MODEL_RTL,
                                       .rtl = &host_engine_rtl,
                                       .rtl_wave = &host_engine_rtl_wave,
                                       .others = others,
                                       .wave = host_rtl_wave,
                                       .wave_close = host_rtl_wave_close,
                                       .host_threads = host_rtl_threads,
                                       .ref = &host_engine_ref,
                                       .values = &values_ops,
                                       .lockstep = &lockstep_ops,
                                       .fpga = &host_engine_fpga,
                                       .fpga_remote = &host_remote_fpga,
                                       .fpga_connect = host_fpga_connect,
                                       .fpga_heed = host_fpga_heed};

    igpu_program_start();
    return igpu_program_end("Vigpu", run_main(argc, argv, &engines));
}
