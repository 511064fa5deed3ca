/** Waybill's Spring Boot starter, and the same application without an outbox. */
@NullMarked
package dev.waybill.bench.starter;

import org.jspecify.annotations.NullMarked;
