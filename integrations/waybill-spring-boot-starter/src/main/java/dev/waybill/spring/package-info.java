/** Waybill in a Spring application: what users type. */
@NullMarked
package dev.waybill.spring;

import org.jspecify.annotations.NullMarked;
