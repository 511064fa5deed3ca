/** What the Java services share: configuration, logs, correlation. */
@NullMarked
package dev.waybill.example.polyshop.common;

import org.jspecify.annotations.NullMarked;
