// igpu_eu_look.vh - step of stage s1: what time and the host have brought; who may fetch.
//
// Function  look_came, look_freed, look_over: waits for code and front-end holds that
//           are over in this cycle. look_given: takes the thread that was opened,
//           look_older: the youngest from now on. look_who: who may fetch.
// Contract  A hold or a wait ends in a cycle in which the context is visited.
// Model     csim/ref/eu.c: timer_expire(), fetch()
// Source    docs/contract/model.md sections 4.2 and 4.4

    // Waits for code, until late_at: 9 bits of a cycle for each thread.
    function [6:0] look_came(input [6:0] late, input [62:0] late_at, input [8:0] now);
        integer i;
        begin
            look_came = 7'd0;
            for (i = 0; i < `IGPU_SLOTS; i = i + 1)
                look_came = look_came | ({6'd0, late_at[9*i +: 9] == now} << i);
            look_came = look_came & late;
        end
    endfunction

    // A hold that ends then is over.
    function look_over(input [7:0] free_at, input [7:0] now);
        look_over = free_at == now;
    endfunction

    // Threads held by the front end, until free_at: 8 bits of a cycle each.
    function [6:0] look_freed(input [6:0] hold, input [55:0] free_at, input [7:0] now);
        integer i;
        begin
            look_freed = 7'd0;
            for (i = 0; i < `IGPU_SLOTS; i = i + 1)
                look_freed = look_freed | ({6'd0, look_over(free_at[8*i +: 8], now)} << i);
            look_freed = look_freed & hold;
        end
    endfunction

    // A thread was opened two cycles ago; its code comes `wait_n` cycles after the last.
    task look_given(
        input  [2:0]  slot,
        input  [7:0]  wait_n,
        input  [8:0]  now,
        output [6:0]  opened,
        output        there,                       // its code is there
        output [8:0]  due                          // ... or comes in this cycle
    );
        begin
            opened = slot_set(slot);
            there  = wait_n <= 8'd1;
            due    = now - 9'd1 + {1'b0, wait_n};
        end
    endtask

    // Who is older than each thread, 7 bits a thread: the one that is opened is the youngest.
    function [48:0] look_older(input [48:0] older, input [2:0] slot);
        integer i;
        begin
            look_older = older;
            for (i = 0; i < `IGPU_SLOTS; i = i + 1)
                look_older[7*i +: 7] = (slot == i[2:0]) ? ~slot_set(slot) :
                                       older[7*i +: 7] & ~slot_set(slot);
        end
    endfunction

    function [6:0] look_who(input [6:0] has, input [6:0] held, input [6:0] hold);
        look_who = has & ~held & ~hold;
    endfunction
