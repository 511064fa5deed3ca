/** The Kafka Connect source connector: journals and outbox tables as sources of a Connect cluster. */
@NullMarked
package dev.waybill.connect;

import org.jspecify.annotations.NullMarked;
