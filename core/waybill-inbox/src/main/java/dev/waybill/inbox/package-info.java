/**
 * The consumer runtime: messages from a broker are handled once each, in order per key; what cannot be handled goes to a
 * dead-letter topic.
 */
@NullMarked
package dev.waybill.inbox;

import org.jspecify.annotations.NullMarked;
