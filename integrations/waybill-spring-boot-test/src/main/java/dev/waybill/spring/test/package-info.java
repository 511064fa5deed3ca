/** Support for tests of applications that append events: {@link dev.waybill.spring.test.WaybillTest}. */
@NullMarked
package dev.waybill.spring.test;

import org.jspecify.annotations.NullMarked;
