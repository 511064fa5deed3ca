package dev.waybill.server.logs;

/** What a line of the log looks like. */
public enum LogFormat {
    /** For people. */
    TEXT,
    /** For programs: one JSON object per line. */
    JSON
}
