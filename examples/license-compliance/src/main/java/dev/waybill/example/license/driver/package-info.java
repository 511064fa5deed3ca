/** Plays a day of license compliance: stores, reviewers, an operator, kills, and the closing balance. */
@NullMarked
package dev.waybill.example.license.driver;

import org.jspecify.annotations.NullMarked;
