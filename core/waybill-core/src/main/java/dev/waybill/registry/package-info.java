/** Which types of events there are: for each its topic, its aggregate type, and what its payload looks like. */
@NullMarked
package dev.waybill.registry;

import org.jspecify.annotations.NullMarked;
