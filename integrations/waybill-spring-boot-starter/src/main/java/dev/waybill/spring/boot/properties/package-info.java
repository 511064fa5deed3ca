/** The configuration under {@code waybill.*}: the keys of {@code waybill.yaml}, as records. */
@NullMarked
package dev.waybill.spring.boot.properties;

import org.jspecify.annotations.NullMarked;
