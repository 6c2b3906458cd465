// igpu_eu_flat_wait.vh - tasks of igpu_eu_flat over its state: holds and waits for code.

    // A hold or a wait for code begins that ends in so many cycles. (To be called before
    // it is among the others.)
    task nearer(input [8:0] cycles);
        if ((hold | late) == 7'd0 || cycles < near - now[8:0])
            near = now[8:0] + cycles;
    endtask

    // Holds that are over now; the first of those and of the waits that are left.
    task nearest;
        begin
            span = 9'h1ff;
            if (hold != 7'd0)
                for (i = 0; i < `IGPU_SLOTS; i = i + 1)
                    if (hold[i]) begin
                        at = {`CTX, i[2:0]};
                        if (look_over(free_at_m[at], now[7:0]))
                            hold[i] = 1'b0;
                        else if ({1'b0, free_at_m[at] - now[7:0]} < span)
                            span = {1'b0, free_at_m[at] - now[7:0]};
                    end
            if (late != 7'd0) begin
                late_at = late_at_m[`CTX];
                for (i = 0; i < `IGPU_SLOTS; i = i + 1)
                    if (late[i])
                        if (late_at[9*i +: 9] - now[8:0] < span)
                            span = late_at[9*i +: 9] - now[8:0];
            end
            near = now[8:0] + span;
        end
    endtask

    // A thread waits for its code, for so many cycles.
    task wait_until(input [6:0] thread, input [2:0] number, input [8:0] cycles);
        begin
            nearer(cycles);
            late    = late | thread;
            late_at = late_at_m[`CTX];
            late_at[9*number +: 9] = now[8:0] + cycles;
            late_at_m[`CTX] = late_at;
        end
    endtask
