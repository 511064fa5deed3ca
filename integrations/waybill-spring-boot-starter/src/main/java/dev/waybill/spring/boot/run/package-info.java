/** Relays and consumers that run in the application, and the brokers they use. */
@NullMarked
package dev.waybill.spring.boot.run;

import org.jspecify.annotations.NullMarked;
