/** A small HTTP server. It knows nothing of what it serves. */
@NullMarked
package dev.waybill.server.http;

import org.jspecify.annotations.NullMarked;
