package dev.waybill.bench;

/** A part of the comparison, in lower case on the command line. They run in this order. */
enum Part {
    drain,
    append,
    latency,
    distance,
    growth
}
