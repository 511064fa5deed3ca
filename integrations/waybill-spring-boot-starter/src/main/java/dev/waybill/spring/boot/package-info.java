/** The auto-configuration of Waybill in a Spring Boot application. */
@NullMarked
package dev.waybill.spring.boot;

import org.jspecify.annotations.NullMarked;
