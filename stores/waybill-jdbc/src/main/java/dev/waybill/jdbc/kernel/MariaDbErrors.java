package dev.waybill.jdbc.kernel;

import dev.waybill.spi.FailureKind;
import java.util.Set;

/** Classifies MariaDB's error numbers, because most of its SQLSTATEs are HY000. */
final class MariaDbErrors {
    private static final int FIRST = 1000;
    private static final int LAST = 4999;

    private static final Set<Integer> CONFLICTS = Set.of(
            1020, // record has changed since last read (innodb_snapshot_isolation)
            1205, // lock wait timeout
            1213, // deadlock
            1412, // table definition has changed, please retry transaction
            1613, // XA: rolled back, took too long
            1614); // XA: deadlock

    private static final Set<Integer> UNAVAILABLE = Set.of(
            1021, // disk full
            1024, // error reading a file
            1026, // error writing a file
            1030, // error from the storage engine, as 28: no space left
            1037, // out of memory
            1038, // out of sort memory
            1040, // too many connections
            1041, // out of memory
            1044, // access denied to the database
            1045, // access denied to the user
            1049, // unknown database
            1053, // server shutdown in progress
            1114, // the table is full: no space left
            1129, // host is blocked
            1130, // host is not allowed to connect
            1180, // error during commit
            1203, // too many connections of this user
            1206, // the lock table is full
            1226, // limit of this user reached
            1290, // read only
            1317, // query was interrupted, as while the server shuts down
            1637, // too many transactions
            1836, // read only
            1878, // no space for a temporary file
            1927, // connection was killed
            1969, // statement took too long
            3024); // the same, in other versions

    private MariaDbErrors() {}

    static boolean isOne(int number) {
        return number >= FIRST && number <= LAST;
    }

    static FailureKind kindOf(int number) {
        if (CONFLICTS.contains(number)) {
            return FailureKind.CONFLICT;
        }
        return UNAVAILABLE.contains(number) ? FailureKind.UNAVAILABLE : FailureKind.FAILED;
    }
}
