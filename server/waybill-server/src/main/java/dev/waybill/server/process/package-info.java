/** The process that runs relays. */
@NullMarked
package dev.waybill.server.process;

import org.jspecify.annotations.NullMarked;
