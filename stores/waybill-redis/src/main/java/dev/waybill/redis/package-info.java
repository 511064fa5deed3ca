/** The inbox in Redis, for consumers whose effects are not in a database transaction. */
@NullMarked
package dev.waybill.redis;

import org.jspecify.annotations.NullMarked;
