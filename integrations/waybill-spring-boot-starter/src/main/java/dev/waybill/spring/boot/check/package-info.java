/** Finds all mistakes in the configuration, and reports them at once. */
@NullMarked
package dev.waybill.spring.boot.check;

import org.jspecify.annotations.NullMarked;
