/** Makes one call to a database or a broker fail: the first, the second, the third … of a scenario, in every way it can. */
@NullMarked
package dev.waybill.tck.faults;

import org.jspecify.annotations.NullMarked;
