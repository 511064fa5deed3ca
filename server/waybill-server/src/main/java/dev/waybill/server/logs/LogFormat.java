package dev.waybill.server.logs;

/** The format of the log. */
public enum LogFormat {
    /** For people. */
    TEXT,
    /** For programs: one JSON object per line. */
    JSON
}
