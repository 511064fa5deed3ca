/** The application: a service that changes users in MongoDB, and a projection of them. */
@NullMarked
package dev.waybill.example.projections;

import org.jspecify.annotations.NullMarked;
