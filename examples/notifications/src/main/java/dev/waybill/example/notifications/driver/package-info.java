/** Plays a day of the notification system: business, kills of processes and servers, and the closing balance. */
@NullMarked
package dev.waybill.example.notifications.driver;

import org.jspecify.annotations.NullMarked;
