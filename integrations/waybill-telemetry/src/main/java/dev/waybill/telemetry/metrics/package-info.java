/** Meters of relays, stores and consumers for Micrometer. */
@NullMarked
package dev.waybill.telemetry.metrics;

import org.jspecify.annotations.NullMarked;
