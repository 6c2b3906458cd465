// igpu_rr.vh - round-robin choices, as tasks of whoever keeps the pointer.
//
// Function  rr_take: grants the first requester after the last winner, else the first from
//           bit 0, and gives the pointer after that. rr_second: both for the request
//           without the first, for a unit that may not take what another takes in the
//           same clock: it need not wait for the other.
// Contract  RR_N is the number of requesters, a localparam of the includer. `above` is
//           what the last grant left, or zero: bit 0 goes first. Somebody asks. Without a
//           second requester rr_second's grant is zero and the pointer stays.
// Tests     tests/formal: igpu_rr_arb and igpu_rr_pick2, which are made of them
// Source    docs/contract/model.md section 4.4

    localparam [RR_N-1:0] RR_1 = 1;
    localparam [RR_N-1:0] RR_0 = 0;

    // A number and its negative have the lowest 1 in common, and differ above it.
    task rr_take(
        input  [RR_N-1:0] req,
        input  [RR_N-1:0] above,
        output [RR_N-1:0] grant,
        output [RR_N-1:0] after
    );
        reg [RR_N-1:0] pool, minus;
        begin
            pool  = ((req & above) != RR_0) ? req & above : req;
            minus = ~pool + RR_1;
            grant = pool & minus;
            after = pool ^ minus;
        end
    endtask

    // The second choice, in a line of those above the last winner, then the others: one is
    // before it (seen), not two (more).
    task rr_second(
        input  [RR_N-1:0] req,
        input  [RR_N-1:0] above,
        output [RR_N-1:0] grant,
        output [RR_N-1:0] after
    );
        reg [2*RR_N-1:0] line, seen, more, second;
        integer          s;
        begin
            line = {req & ~above, req & above};
            seen = line << 1;
            more = {2*RR_N{1'b0}};
            for (s = 1; s < 2*RR_N; s = s * 2) begin
                more = more | (more << s) | (seen & (seen << s));
                seen = seen | (seen << s);
            end
            second = line & seen & ~more;
            grant  = second[RR_N-1:0] | second[2*RR_N-1:RR_N];
            after  = (grant == RR_0) ? above :
                     more[RR_N] ? more[RR_N-1:0] : more[2*RR_N-1:RR_N];
        end
    endtask
