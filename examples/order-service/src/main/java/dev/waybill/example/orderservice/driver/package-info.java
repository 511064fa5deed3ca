/** Plays a day of the order service: customers, an operator, kills, and the closing balance. */
@NullMarked
package dev.waybill.example.orderservice.driver;

import org.jspecify.annotations.NullMarked;
