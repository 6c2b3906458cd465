// drampower_peer.cc - hand one rank's commands to DRAMPower 4.0's library and print its
// energies in nJ. Built by compare.py against a checkout; not part of any build of
// ours.
//   drampower_peer PARAMETERS < lines of "clock command bank"
// PARAMETERS: name=value for each field below, of one device; end=CLOCK: all rows are
// closed from the last command until then. (DRAMPower's own END counts that time twice:
// the library appends another to it.)
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

#include "libdrampower/LibDRAMPower.h"

using namespace Data;

static std::map<std::string, double> value;

static double get(const char *name)
{
    if (value.find(name) == value.end()) {
        std::cerr << "drampower_peer: no " << name << "\n";
        std::exit(2);
    }
    return value[name];
}

static unsigned count(const char *name)
{
    return static_cast<unsigned>(get(name));
}

static MemorySpecification specification()
{
    MemorySpecification s;
    MemArchitectureSpec &a = s.memArchSpec;
    MemTimingSpec &t = s.memTimingSpec;
    MemPowerSpec &p = s.memPowerSpec;

    a = MemArchitectureSpec();
    a.burstLength = 2 * count("burst");
    a.nbrOfBanks = count("banks");
    a.nbrOfRanks = 1;
    a.dataRate = 2;
    a.width = 8;
    a.nbrOfBankGroups = count("groups");
    a.dll = true;
    a.twoVoltageDomains = false;
    a.termination = false;
    t.clkMhz = get("mhz");
    t.clkPeriod = 1000 / t.clkMhz;
    t.RAS = count("tras");
    t.RP = count("trp");
    t.RC = t.RAS + t.RP;
    t.RCD = count("trcd");
    t.RFC = count("trfc");
    t.REFI = count("trefi");
    t.RL = count("cl");
    t.WL = count("cwl");
    t.AL = 0;
    t.CCD = t.CCD_S = count("tccd_s");
    t.CCD_L = count("tccd_l");
    t.RRD = t.RRD_S = count("trrd_s");
    t.RRD_L = count("trrd_l");
    t.FAW = t.TAW = count("tfaw");
    t.WTR = t.WTR_S = count("twtr_s");
    t.WTR_L = count("twtr_l");
    t.RTP = count("trtp");
    t.WR = count("twr");
    t.DQSCK = 2;
    t.XP = 8;
    t.XPDLL = 325;
    t.XS = 324;
    t.XSDLL = 512;
    t.CKE = 6;
    t.CKESR = 7;
    p = MemPowerSpec();
    p.vdd = get("vdd");
    p.idd0 = get("idd0");
    p.idd2n = get("idd2n");
    p.idd3n = get("idd3n");
    p.idd4r = get("idd4r");
    p.idd4w = get("idd4w");
    p.idd5 = get("idd5");
    p.idd2p0 = p.idd2p1 = p.idd3p0 = p.idd3p1 = p.idd6 = 0;
    return s;
}

int main(int argc, char **argv)
{
    static const std::map<std::string, MemCommand::cmds> names = {
        {"ACT", MemCommand::ACT},
        {"PRE", MemCommand::PRE},
        {"RD", MemCommand::RD},
        {"WR", MemCommand::WR},
        {"REF", MemCommand::REF}};
    std::string name;
    int64_t clock;
    int bank;

    for (int i = 1; i < argc; i++) {
        std::string text = argv[i];
        size_t at = text.find('=');

        value[text.substr(0, at)] = std::atof(text.c_str() + at + 1);
    }
    libDRAMPower model(specification(), false);
    while (std::cin >> clock >> name >> bank)
        model.doCommand(names.at(name), bank, clock);
    model.updateCounters(true);
    model.calcEnergy();
    double counted =
        static_cast<double>(model.counters.actcycles + model.counters.precycles);
    double rest = get("end") > counted ? get("end") - counted : 0;

    std::cout.precision(12);
    const MemoryPowerModel::Energy &e = model.getEnergy();
    std::cout << "activate " << (e.act_energy + e.pre_energy) / 1e3 << "\nread "
              << e.read_energy / 1e3 << "\nwrite " << e.write_energy / 1e3
              << "\nrefresh " << e.ref_energy / 1e3 << "\nstandby "
              << (e.act_stdby_energy + e.pre_stdby_energy) / 1e3 +
                     rest * get("vdd") * get("idd2n") / get("mhz")
              << "\n";
}
