/** Drives measured systems, each in a process of its own, and counts at a consumer what they send. */
@NullMarked
package dev.waybill.bench.systems;

import org.jspecify.annotations.NullMarked;
