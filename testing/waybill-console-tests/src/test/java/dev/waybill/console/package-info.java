/** The console in a real browser, on a real process with real servers. */
@NullMarked
package dev.waybill.console;

import org.jspecify.annotations.NullMarked;
