/** namastack-outbox. */
@NullMarked
package dev.waybill.bench.namastack;

import org.jspecify.annotations.NullMarked;
