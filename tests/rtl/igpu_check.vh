// igpu_check.vh - result lines of a test bench, included in its module.
// A name is printed once: `ok` when no check of it failed, else `not ok`.
integer bad = 0;      // failed checks since the last result
integer checks = 0;   // checks since the last result

task check(input good);
    begin
        checks = checks + 1;
        if (good !== 1'b1) begin
            bad = bad + 1;
            if (bad <= 5)
                $display("# check %0d failed at time %0t", checks, $time);
        end
    end
endtask

task result(input [8*80-1:0] name);
    begin
        $display("%0s %0s (%0d checks)", (bad == 0 && checks != 0) ? "ok" : "not ok",
                 name, checks);
        bad = 0;
        checks = 0;
    end
endtask
