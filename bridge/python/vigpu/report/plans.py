"""The experiments of the report, in full and in short."""
from __future__ import annotations

import dataclasses

_AROUND = "1,24,48,72,95..97,119..121,143..145,167..169,336"


@dataclasses.dataclass(frozen=True)
class Plan:
    """One experiment. id: what findings look it up by. full, quick: `igpu bench` and what
    follows (quick None: the short report leaves it out). note: what is to be seen. plots:
    what is drawn of it (none named: the experiment)."""

    id: str
    title: str
    full: str
    quick: str | None
    note: str = ""
    plots: tuple[str, ...] = ()

    def command(self, quick: bool) -> str | None:
        return self.quick if quick else self.full


PLANS = (
    Plan("flops", "Arithmetic throughput, HD 530", "flops --work-groups 1..336 --loops 16",
         f"flops --work-groups {_AROUND} --loops 16",
         "A work-group of 32 work-items is one hardware thread. The dips come from EUs with "
         "more threads than others."),
    Plan("flops-long", "The same, longer kernels",
         "flops --work-groups 48,72,96,168 --loops 128",
         "flops --work-groups 48,72,96,168 --loops 128"),
    Plan("flops-256", "Work-groups of 256 work-items",
         "flops --work-items 256 --work-groups 11..22 --loops 16",
         "flops --work-items 256 --work-groups 11..22 --loops 16",
         "Eight threads fill a subslice's EUs once, so the peaks are at multiples of three "
         "work-groups."),
    Plan("flops-gt3e", "Arithmetic throughput, Iris Plus 650",
         "flops -c kbl-gt3e --work-groups 24..336:24 --loops 128",
         "flops -c kbl-gt3e --work-groups 96,192,336 --loops 32"),
    Plan("flops-dp", "Double precision", "flops --type dp --work-groups 168 --loops 128",
         "flops --type dp --work-groups 168 --loops 32"),
    Plan("flops-hp", "Half precision", "flops --type hp --work-groups 168 --loops 128",
         "flops --type hp --work-groups 168 --loops 128"),
    Plan("flops-int", "32-bit integers", "flops --type int --work-groups 168 --loops 128",
         "flops --type int --work-groups 168 --loops 32"),
    Plan("flops-private", "Private memory, HD 620",
         "flops -c kbl-gt2 --variant private --work-groups 168 --loops 128",
         "flops -c kbl-gt2 --variant private --work-groups 168 --loops 128"),
    Plan("flops-add", "Additions, HD 620",
         "flops -c kbl-gt2 --op add --work-groups 168 --loops 128",
         "flops -c kbl-gt2 --op add --work-groups 168 --loops 128"),
    Plan("latency", "Access time, HD 530, GPU", "latency",
         "latency --ws 64K,256K,1M..9M:1M,128M"),
    Plan("latency-gt3e", "Access time, Iris Plus 650, GPU",
         "latency -c kbl-gt3e --ws 64K..256M", "latency -c kbl-gt3e --ws 512K,2M,8M",
         "Calibrated on this machine: llc.idle_clock_hz, on its LLC at 2 MB; "
         "edram.latency_ps on the CPU's time at 8 MB."),
    Plan("latency-cpu", "Access time, HD 530, CPU", "latency --agent cpu --ws 64K..256M",
         "latency --agent cpu --ws 4M"),
    Plan("latency-cpu-gt3e", "Access time, Iris Plus 650, CPU",
         "latency --agent cpu -c kbl-gt3e --ws 64K..256M",
         "latency --agent cpu -c kbl-gt3e --ws 2M,8M",
         "Calibrated on this machine: edram.latency_ps, on 8 MB."),
    Plan("interference-a", "The GPU beside a chase of the CPU", "interference --table a",
         "interference --table a --gpu-ws 1,5,9 --cpu-ws 1,5,9"),
    Plan("interference-b", "The GPU beside a stream of the CPU", "interference --table b",
         "interference --table b --gpu-ws 1,9 --cpu-ws 9"),
    Plan("interference-c", "The CPU beside a chase of the GPU", "interference --table c",
         "interference --table c --gpu-ws 1,5,9 --cpu-ws 1,5,9"),
    Plan("interference-d", "The CPU beside a stream of the GPU", "interference --table d",
         "interference --table d --gpu-ws 9 --cpu-ws 5"),
    Plan("mlp", "Accesses in flight", "mlp", "mlp --threads 14,98,112,168",
         "Published are curves that stay flat to about 100 threads, wherever the data lie."),
    Plan("mlp-ramp", "Leaving the LLC", "mlp --ws 1M --threads 1..14", None,
         "With 1 MB a thread the working set leaves the 8 MB LLC at about 8 threads."),
    Plan("coalescing", "Coalescing", "coalescing",
         "coalescing --groups 1,8,64 --stride 1,4,16",
         "Whole lines from DRAM, each touched by one message."),
    Plan("l3", "L3 bandwidth", "bandwidth --level l3 --subslices 1..3",
         "bandwidth --level l3 --subslices 1..3 --vector 1,4,16 --bytes 2M",
         "A scalar read moves one line a message and so meets the limit of messages in "
         "flight; 8 and 16 elements touch each line several times."),
    Plan("slm", "SLM bandwidth", "bandwidth --level slm",
         "bandwidth --level slm --vector 1,4,16 --bytes 2M"),
    Plan("llc", "LLC bandwidth", "bandwidth --level llc",
         "bandwidth --level llc --vector 1,4"),
    Plan("dram", "DRAM bandwidth", "bandwidth --level dram",
         "bandwidth --level dram --vector 4"),
    Plan("vectors", "Throughput, power and efficiency by vector type, HD 620",
         "flop -c kbl-gt2 --variant private",
         "flop -c kbl-gt2 --variant private --vector 1,4,16 --work-groups 1,5..7,21",
         "Powers are PKG - PP0 - DRAM by counters of RAPL's kind. Calibrated on the best "
         "efficiency: power.eu_scale. Of paper 2's curves the text gives shapes and orders.",
         ("flop", "flop-power", "flop-efficiency")),
    Plan("vectors-l3", "L3 bandwidth and its power by vector type, HD 620",
         "memory -c kbl-gt2", "memory -c kbl-gt2 --vector 1,4,16 --work-groups 24,168",
         "", ("memory", "memory-power")),
)
