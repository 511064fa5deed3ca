/** What must not be shown, and the one place where it is taken out of whatever the process prints. */
@NullMarked
package dev.waybill.server.secrets;

import org.jspecify.annotations.NullMarked;
