/** The outbox, its store and the inbox in MongoDB, on the synchronous driver. */
@NullMarked
package dev.waybill.mongodb;

import org.jspecify.annotations.NullMarked;
