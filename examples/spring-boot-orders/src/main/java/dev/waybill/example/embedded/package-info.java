/** Servers for the example, so that it runs without any installed. Not part of what an application needs. */
@NullMarked
package dev.waybill.example.embedded;

import org.jspecify.annotations.NullMarked;
