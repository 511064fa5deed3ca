/** Debezium Engine with the outbox event router. */
@NullMarked
package dev.waybill.bench.debezium;

import org.jspecify.annotations.NullMarked;
