/**
 * How the bench drives a measured system in a process of its own: a line on the standard input is a command, a line on the
 * standard output its reply.
 */
@NullMarked
package dev.waybill.bench.kit;

import org.jspecify.annotations.NullMarked;
