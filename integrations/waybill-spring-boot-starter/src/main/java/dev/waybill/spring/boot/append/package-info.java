/** How events join Spring's transactions. Read {@link dev.waybill.spring.boot.append.JoiningOutbox} first. */
@NullMarked
package dev.waybill.spring.boot.append;

import org.jspecify.annotations.NullMarked;
