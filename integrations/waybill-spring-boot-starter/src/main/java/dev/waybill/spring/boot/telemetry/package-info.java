/** Meters and spans of relays and consumers. */
@NullMarked
package dev.waybill.spring.boot.telemetry;

import org.jspecify.annotations.NullMarked;
