/** Payloads checked by JSON Schema, and event registries read from files. */
@NullMarked
package dev.waybill.jsonschema;

import org.jspecify.annotations.NullMarked;
