/** Spring Modulith's event publication registry. */
@NullMarked
package dev.waybill.bench.modulith;

import org.jspecify.annotations.NullMarked;
