/** Plays a day of the shop, with chaos, and checks the balance. */
@NullMarked
package dev.waybill.example.polyshop.driver;

import org.jspecify.annotations.NullMarked;
