/**
 * The configuration of the process: a YAML file, what may stand in it, and what it makes. Every key is defined once, as a
 * {@link dev.waybill.server.config.Key}; what is checked, the JSON Schema, the reference page and the printed configuration
 * come from that.
 */
@NullMarked
package dev.waybill.server.config;

import org.jspecify.annotations.NullMarked;
