/** Follows the guides of the documentation as a reader does, in a terminal and a folder of their own. */
@NullMarked
package dev.waybill.testkit.guide;

import org.jspecify.annotations.NullMarked;
