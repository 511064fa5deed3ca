/** Connections to a journal and the checks before it is read. Not for applications. */
@NullMarked
package dev.waybill.postgres.journal;

import org.jspecify.annotations.NullMarked;
