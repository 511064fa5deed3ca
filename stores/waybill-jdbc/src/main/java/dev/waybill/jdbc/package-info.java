/** Over JDBC: {@link dev.waybill.jdbc.JdbcOutbox} appends, {@link dev.waybill.jdbc.JdbcInbox} makes effects happen once. */
@NullMarked
package dev.waybill.jdbc;

import org.jspecify.annotations.NullMarked;
