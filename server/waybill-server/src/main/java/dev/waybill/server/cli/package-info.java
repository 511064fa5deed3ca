/** The commands: {@link dev.waybill.server.cli.WaybillCommand} has them all. */
@NullMarked
package dev.waybill.server.cli;

import org.jspecify.annotations.NullMarked;
