/** Health and the endpoint {@code waybill} of Spring Boot's actuator. */
@NullMarked
package dev.waybill.spring.boot.actuator;

import org.jspecify.annotations.NullMarked;
