/** Kafka as a destination. */
@NullMarked
package dev.waybill.kafka;

import org.jspecify.annotations.NullMarked;
