/** The backlogs of a drain, and the plain ways to send them that relays are compared with. */
@NullMarked
package dev.waybill.bench.pipes;

import org.jspecify.annotations.NullMarked;
