package dev.waybill.server.http;

/** What a handler makes of a request: a whole answer, or a stream of events. */
public sealed interface Outcome permits Answer, EventStream {}
