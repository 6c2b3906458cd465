// igpu_eu_slot.vh - thread slots as numbers and as sets of one.
//
// Function  slot_number: the number of a one-hot slot. slot_set: the set that has it.
// Contract  A number is 0 to 6; slot_number of no slot is 0.

    function [2:0] slot_number(input [6:0] who);
        slot_number = {|who[6:4], |(who & 7'h4c), |(who & 7'h2a)};
    endfunction

    function [6:0] slot_set(input [2:0] slot);
        slot_set = 7'd1 << slot;
    endfunction
