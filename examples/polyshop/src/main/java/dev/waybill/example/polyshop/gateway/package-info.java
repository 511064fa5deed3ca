/** The gateway: requests from outside start a trace here. */
@NullMarked
package dev.waybill.example.polyshop.gateway;

import org.jspecify.annotations.NullMarked;
