/** The registry of event types: topic, aggregate type and payload check of each type. */
@NullMarked
package dev.waybill.registry;

import org.jspecify.annotations.NullMarked;
