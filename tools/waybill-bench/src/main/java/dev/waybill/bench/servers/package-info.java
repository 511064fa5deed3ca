/** The servers of a run, and slower links to them. */
@NullMarked
package dev.waybill.bench.servers;

import org.jspecify.annotations.NullMarked;
