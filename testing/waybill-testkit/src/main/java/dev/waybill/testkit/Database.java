package dev.waybill.testkit;

/** The kinds of databases that tables can be on. */
public enum Database {
    POSTGRESQL,
    MARIADB,
    H2
}
