/** How an event becomes a message: its bytes and its headers. */
@NullMarked
package dev.waybill.format;

import org.jspecify.annotations.NullMarked;
