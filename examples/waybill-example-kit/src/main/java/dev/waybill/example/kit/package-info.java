/** What the examples have in common: options, child processes, the picture in the terminal, kills, and the closing balance. */
@NullMarked
package dev.waybill.example.kit;

import org.jspecify.annotations.NullMarked;
