/** Tables, colours and lines for people at a terminal. */
@NullMarked
package dev.waybill.server.terminal;

import org.jspecify.annotations.NullMarked;
