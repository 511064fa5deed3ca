/** The application: an order service with its outbox table, and a consumer that ships what was ordered. */
@NullMarked
package dev.waybill.example.orderservice;

import org.jspecify.annotations.NullMarked;
