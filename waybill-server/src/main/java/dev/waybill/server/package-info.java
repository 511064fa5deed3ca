/** The process and its command line. It has no SQL of its own: it goes through the stores and their administration. */
@NullMarked
package dev.waybill.server;

import org.jspecify.annotations.NullMarked;
