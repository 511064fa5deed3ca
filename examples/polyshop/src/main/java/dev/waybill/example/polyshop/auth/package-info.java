/** auth-service: users. */
@NullMarked
package dev.waybill.example.polyshop.auth;

import org.jspecify.annotations.NullMarked;
