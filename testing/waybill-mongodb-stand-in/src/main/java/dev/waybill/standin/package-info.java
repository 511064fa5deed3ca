/** A server in memory that imitates a replica set of MongoDB, for tests and an example. Not for production. */
@NullMarked
package dev.waybill.standin;

import org.jspecify.annotations.NullMarked;
