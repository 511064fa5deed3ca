package dev.waybill.inbox;

import java.time.Instant;

/**
 * Why and when a message was given up. It stays so however often its letter has to be sent, and the letter says the same each
 * time.
 */
record GivenUp(String error, Instant at) {}
