/**
 * The configuration of the process: a YAML file, the schema it is checked against, and the objects it makes. Every key is defined
 * once, in {@code waybill.schema.json}; checks, defaults, the reference page and the printed configuration come from it.
 */
@NullMarked
package dev.waybill.server.config;

import org.jspecify.annotations.NullMarked;
