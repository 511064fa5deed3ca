/** What the console shows live: samples of the stores, kept for a while. */
@NullMarked
package dev.waybill.server.live;

import org.jspecify.annotations.NullMarked;
