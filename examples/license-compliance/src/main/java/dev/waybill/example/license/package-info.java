/** The application: the API that changes licenses, and the consumers of its events. */
@NullMarked
package dev.waybill.example.license;

import org.jspecify.annotations.NullMarked;
