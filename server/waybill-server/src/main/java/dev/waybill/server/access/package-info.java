/** Who may do what over HTTP: users, tokens, a trusted proxy, sessions, and the checks of every request. */
@NullMarked
package dev.waybill.server.access;

import org.jspecify.annotations.NullMarked;
