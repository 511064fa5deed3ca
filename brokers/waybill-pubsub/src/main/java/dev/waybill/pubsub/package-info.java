/** Google Pub/Sub as a destination, and as a source for consumers. */
@NullMarked
package dev.waybill.pubsub;

import org.jspecify.annotations.NullMarked;
