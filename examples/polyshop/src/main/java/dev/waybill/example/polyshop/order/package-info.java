/** order-service: orders and their states, with JPA. */
@NullMarked
package dev.waybill.example.polyshop.order;

import org.jspecify.annotations.NullMarked;
