/** Changes of many events or letters: prepared, confirmed, then done in steps that can be watched and cancelled. */
@NullMarked
package dev.waybill.server.operation;

import org.jspecify.annotations.NullMarked;
