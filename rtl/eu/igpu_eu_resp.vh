// igpu_eu_resp.vh - step of stages s1 and s2: the response writer.
//
// Function  resp_look: is the response that is being written there, or one that was given,
//           takes one cycle and finds the port free? resp_next: which one is written from
//           now on, and for how long.
// Contract  A given response arrived in the cycle before this one. A duration is 1 to 255.
// Model     csim/ref/eu.c: ref_eu_respond()
// Source    docs/contract/model.md section 4.6

    task resp_look(
        input         busy,                        // one is being written, until
        input  [7:0]  until_at,
        input  [7:0]  now,
        input         given,                       // one arrived,
        input  [7:0]  dur,                         // which takes so many cycles
        output [7:0]  left,                        // of the one being written
        output        over,                        // it is there
        output        instant                      // the given one is
    );
        begin
            left    = until_at - now;
            over    = busy && left == 8'd0;
            instant = given && !busy && dur == 8'd1;
        end
    endtask

    // One that finds the port free began in the cycle before, in which it arrived.
    task resp_next(
        input         busy,
        input         over,
        input         given,
        input         instant,
        input  [7:0]  left,
        input  [7:0]  dur,
        input         waits,                       // others wait;
        input  [7:0]  wait_dur,                    // the oldest takes so many cycles
        output        from_q,                      // it is next,
        output        direct,                      // the given one is,
        output        push,                        // the given one waits
        output        next_busy,
        output [7:0]  next_left
    );
        begin
            from_q    = over && waits;
            direct    = given && !(busy && !over) && !from_q;
            push      = given && !direct;
            next_busy = (busy && !over) || from_q || (direct && !instant);
            next_left = from_q ? wait_dur : !direct ? left : over ? dur : dur - 8'd1;
        end
    endtask
