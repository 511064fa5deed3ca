/** The stores of the application: each with its outbox side and its relay side. */
@NullMarked
package dev.waybill.spring.boot.store;

import org.jspecify.annotations.NullMarked;
