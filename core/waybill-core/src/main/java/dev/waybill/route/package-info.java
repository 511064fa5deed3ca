/** Where an event goes: its topic, and the key that keeps events together there. */
@NullMarked
package dev.waybill.route;

import org.jspecify.annotations.NullMarked;
