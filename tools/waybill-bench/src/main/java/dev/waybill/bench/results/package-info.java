/** The results of a run: stored, printed, drawn. */
@NullMarked
package dev.waybill.bench.results;

import org.jspecify.annotations.NullMarked;
