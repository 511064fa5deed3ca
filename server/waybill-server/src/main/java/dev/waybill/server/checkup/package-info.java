/** What operators are told and do, shared by the command line and the admin API. */
@NullMarked
package dev.waybill.server.checkup;

import org.jspecify.annotations.NullMarked;
