/** The admin API. {@link dev.waybill.server.api.RouteTable} lists every route with its role. */
@NullMarked
package dev.waybill.server.api;

import org.jspecify.annotations.NullMarked;
