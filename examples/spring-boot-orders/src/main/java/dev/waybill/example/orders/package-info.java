/** Orders: all the Java that an application needs. */
@NullMarked
package dev.waybill.example.orders;

import org.jspecify.annotations.NullMarked;
