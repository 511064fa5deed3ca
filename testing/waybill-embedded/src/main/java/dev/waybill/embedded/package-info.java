/** Real servers for tests, the demo and the bench: on loopback, on free ports, removed when closed. Not for production. */
@NullMarked
package dev.waybill.embedded;

import org.jspecify.annotations.NullMarked;
