/** {@code ./waybill bench}: this project and other outboxes, measured part by part. */
@NullMarked
package dev.waybill.bench;

import org.jspecify.annotations.NullMarked;
