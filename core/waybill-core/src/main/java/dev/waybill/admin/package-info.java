/** Administration of a store by an operator, a command or a console. Every change is audited. */
@NullMarked
package dev.waybill.admin;

import org.jspecify.annotations.NullMarked;
