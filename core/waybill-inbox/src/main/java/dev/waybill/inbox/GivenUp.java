package dev.waybill.inbox;

import java.time.Instant;

/** Why and when a message was given up. Does not change when its letter is sent again. */
record GivenUp(String error, Instant at) {}
