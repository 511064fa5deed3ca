/** Writers that commit in random order, a reader, and a check of what it read. */
@NullMarked
package dev.waybill.testkit.random;

import org.jspecify.annotations.NullMarked;
