/* rtl_main.c - igpu-rtl: what of `igpu` needs the RTL, which that program is built
 * without. `igpu` becomes this where it is asked for such a command. */
#include <string.h>

#include "bridge/engines/rtl/lockstep.h"
#include "bridge/programs/igpu/frame_render.h"
#include "igpu/program.h"

int main(int argc, char **argv)
{
    igpu_program_start();
    if (argc < 3 || strcmp(argv[1], "frame") != 0 || strcmp(argv[2], "render") != 0)
        return igpu_program_end(
            "igpu-rtl",
            igpu_complain_of("igpu-rtl", IGPU_USAGE,
                             "expected frame render; igpu has the other commands"));
    return igpu_program_end("igpu frame render",
                            frame_render_with(argc - 2, argv + 2, &lockstep_ops));
}
