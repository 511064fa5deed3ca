/** Layouts of outbox tables: {@link dev.waybill.jdbc.layout.TableLayout}. */
@NullMarked
package dev.waybill.jdbc.layout;

import org.jspecify.annotations.NullMarked;
