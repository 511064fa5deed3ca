/** What the stores in SQL databases share. Not for applications. */
@NullMarked
package dev.waybill.jdbc.kernel;

import org.jspecify.annotations.NullMarked;
