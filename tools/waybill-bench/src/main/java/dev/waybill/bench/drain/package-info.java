/** {@code bench drain}: contenders run alternately in one warm process, and results are reported as ratios. */
@NullMarked
package dev.waybill.bench.drain;

import org.jspecify.annotations.NullMarked;
