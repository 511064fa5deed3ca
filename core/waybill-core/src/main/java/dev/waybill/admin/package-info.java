/** What a person, a command or a console may ask of a store and do to it. Every change is audited. */
@NullMarked
package dev.waybill.admin;

import org.jspecify.annotations.NullMarked;
