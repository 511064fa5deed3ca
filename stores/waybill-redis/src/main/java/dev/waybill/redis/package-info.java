/** The inbox in Redis, for consumers whose effects no database transaction carries. */
@NullMarked
package dev.waybill.redis;

import org.jspecify.annotations.NullMarked;
