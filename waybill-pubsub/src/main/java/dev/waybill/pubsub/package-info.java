/** Google Pub/Sub as a destination. */
@NullMarked
package dev.waybill.pubsub;

import org.jspecify.annotations.NullMarked;
