/** Routes: the topic and the key of a message. */
@NullMarked
package dev.waybill.route;

import org.jspecify.annotations.NullMarked;
