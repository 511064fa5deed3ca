/** analytics-service: counts of all events. */
@NullMarked
package dev.waybill.example.polyshop.analytics;

import org.jspecify.annotations.NullMarked;
