/** Small pages over HTTP: health checks and metrics. */
@NullMarked
package dev.waybill.server.http;

import org.jspecify.annotations.NullMarked;
