/** The log, for people and for programs. */
@NullMarked
package dev.waybill.server.logs;

import org.jspecify.annotations.NullMarked;
