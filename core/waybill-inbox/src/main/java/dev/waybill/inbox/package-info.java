/**
 * The consumer runtime: messages from a broker are handled once each, in order per key; messages that cannot be handled go to a
 * dead-letter topic.
 */
@NullMarked
package dev.waybill.inbox;

import org.jspecify.annotations.NullMarked;
