// eu_same_cut.vh - in igpu_eu_pipe, for eu_same_proof: who fetches, who may issue, what
// issues, whether what was fetched may: the flat shell's (cut_*) where the proof says so, else
// its own (the proof's script puts this text there).

    `include "igpu_eu_slot.vh"
    (* keep *) wire        own_fetch, own_fresh, own_met, cut_met;
    (* keep *) wire        cut_fetches, cut_picks, cut_mays, cut_mets;
    (* keep *) wire [6:0]  own_who, cut_who, own_may, cut_may;
    (* keep *) wire [3:0]  own_issue, cut_issue;
    (* keep *) wire [27:0] own_picked, cut_picked;
    wire [11:0] own_slot;
    wire [6:0]  lk_who   = cut_fetches ? cut_who : own_who;
    wire        lk_fetch = cut_fetches ? cut_who != 7'd0 : own_fetch;
    wire        lk_fresh = cut_fetches ? (lk_young & cut_who) != 7'd0 : own_fresh;
    wire [3:0]  pk_issue = cut_picks ? cut_issue : own_issue;
    wire [27:0] pk_who   = cut_picks ? cut_picked : own_picked;
    wire [11:0] pk_slot  = !cut_picks ? own_slot :
                           {slot_number(cut_picked[27:21]), slot_number(cut_picked[20:14]),
                            slot_number(cut_picked[13:7]), slot_number(cut_picked[6:0])};
    wire [6:0]  s3_may   = cut_mays ? cut_may : own_may;
    wire        ft_met   = cut_mets ? cut_met : own_met;
