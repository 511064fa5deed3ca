/** Payloads checked by JSON Schema, and event registries read from files. */
@NullMarked
package dev.waybill.schema;

import org.jspecify.annotations.NullMarked;
