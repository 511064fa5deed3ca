/** Spans of relays and consumers with OpenTelemetry, and the context of the append in every event. */
@NullMarked
package dev.waybill.telemetry.tracing;

import org.jspecify.annotations.NullMarked;
