/** Secrets, and the one place that removes them from everything the process prints. */
@NullMarked
package dev.waybill.server.secrets;

import org.jspecify.annotations.NullMarked;
