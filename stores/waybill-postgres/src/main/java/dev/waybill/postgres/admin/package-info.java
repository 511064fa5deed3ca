/** Administration of a journal: listing, requeueing, retention, checkups, adoption. Not for applications. */
@NullMarked
package dev.waybill.postgres.admin;

import org.jspecify.annotations.NullMarked;
