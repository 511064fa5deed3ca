/** Shared by the stores in SQL databases. Not for applications. */
@NullMarked
package dev.waybill.jdbc.kernel;

import org.jspecify.annotations.NullMarked;
