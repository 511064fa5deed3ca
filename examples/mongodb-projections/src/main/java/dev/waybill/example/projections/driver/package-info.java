/** Plays a day of users and their cards: changes, kills, and the closing balance. */
@NullMarked
package dev.waybill.example.projections.driver;

import org.jspecify.annotations.NullMarked;
