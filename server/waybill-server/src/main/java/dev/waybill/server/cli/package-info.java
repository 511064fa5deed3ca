/** The command line. {@link dev.waybill.server.cli.WaybillCommand} lists all commands. */
@NullMarked
package dev.waybill.server.cli;

import org.jspecify.annotations.NullMarked;
