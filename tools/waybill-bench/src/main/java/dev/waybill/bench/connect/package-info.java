/** {@code bench connect}: connectors on real workers of Kafka Connect. */
@NullMarked
package dev.waybill.bench.connect;

import org.jspecify.annotations.NullMarked;
