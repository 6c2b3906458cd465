/* main.c - ./Vigpu: simulate a trace in RTL. */
#include "bridge/engines/fpga/engine_fpga.h"
#include "bridge/engines/rtl/engine_array.h"
#include "bridge/engines/rtl/engine_rtl.h"
#include "bridge/engines/rtl/lockstep.h"
#include "bridge/engines/rtl/values.h"
#include "bridge/programs/cli/batch.h"
#include "igpu/program.h"
#include "igpu/ref.h"
#include "igpu_model.h"

static const struct engine table[] = {
    {.name = "rtl",
     .ops = &host_engine_rtl,
     .executes = true,
     .waves = &host_engine_rtl_wave,
     .wave = host_rtl_wave,
     .wave_close = host_rtl_wave_close,
     .threads = host_rtl_threads},
    {.name = "array", .ops = &host_engine_array},
    {.name = "pipe", .ops = &host_engine_pipe},
    {.name = "pipe:3x8", .ops = &host_engine_pipe_3x8},
    {.name = "fpga",
     .place = "udp:HOST[:PORT]|serial:DEVICE[:BAUD]|pcie:FILE[@OFFSET]",
     .ops = &host_engine_fpga,
     .executes = true,
     .remote = &host_remote_fpga,
     .connect = host_fpga_connect,
     .heed = host_fpga_heed},
    ENGINE_REFERENCE,
};

int main(int argc, char **argv)
{
    const struct engine_set engines = {.program = "Vigpu",
                                       .model = IGPU_MODEL_RTL,
                                       .engine = table,
                                       .engines = sizeof(table) / sizeof(table[0]),
                                       .values = &values_ops,
                                       .lockstep = &lockstep_ops};

    igpu_program_start();
    return igpu_program_end("Vigpu", batch_or_run(argc, argv, &engines));
}
