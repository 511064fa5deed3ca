/** What an inbox is: a contract that every one must pass. */
@NullMarked
package dev.waybill.tck.inbox;

import org.jspecify.annotations.NullMarked;
