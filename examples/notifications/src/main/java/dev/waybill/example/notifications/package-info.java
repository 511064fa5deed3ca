/** The application: services that write events for users of four kinds, and the listeners that make notifications of them. */
@NullMarked
package dev.waybill.example.notifications;

import org.jspecify.annotations.NullMarked;
