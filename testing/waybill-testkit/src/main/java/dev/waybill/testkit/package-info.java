/** What the tests of several modules use. */
@NullMarked
package dev.waybill.testkit;

import org.jspecify.annotations.NullMarked;
