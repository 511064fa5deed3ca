/** Formats: how an event becomes a message, and how a message becomes an event. */
@NullMarked
package dev.waybill.format;

import org.jspecify.annotations.NullMarked;
