/** Helpers for the tests of several modules. */
@NullMarked
package dev.waybill.testkit;

import org.jspecify.annotations.NullMarked;
