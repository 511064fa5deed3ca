package dev.waybill.postgres.admin;

import dev.waybill.admin.Finding;
import dev.waybill.jdbc.kernel.Examination;
import dev.waybill.postgres.journal.Durability;
import dev.waybill.postgres.journal.JournalEnvironment;
import dev.waybill.postgres.journal.JournalSettings;
import dev.waybill.postgres.journal.ServerIdentity;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Checks a journal's cluster, its environment, and the standbys that its relays wait for. */
record OriginCheckup(Examination examination, JournalSettings settings) {
    private static final String FOREIGN_RELAYS = """
            select string_agg(r.name, ', ') from waybill.relay r, (select ?::text as current, ?::text as kept) w
             where r.system_id not in (w.current, w.kept)
               and not exists (select from waybill.cluster c where c.system_id = r.system_id and c.kept = w.kept)""";

    private static final String STANDBYS =
            "select distinct s.application_name from " + Durability.STANDBYS + " s order by 1";

    void look() {
        examination.look("cluster", this::cluster);
        examination.look("environment", this::environment);
        settings.durability().standbys().ifPresent(required -> examination.look("standbys", () -> standbys(required)));
    }

    private Finding cluster() throws SQLException {
        ServerIdentity identity = ServerIdentity.of(examination);
        Optional<String> relays =
                examination.first(FOREIGN_RELAYS, row -> row.getString(1), identity.current(), identity.kept());
        if (relays.isPresent()) {
            return Finding.problem(
                    "cluster",
                    "positions are from another cluster, so these relays refuse to run: " + relays.get(),
                    "The journal was restored or moved: stop every relay and run waybill adopt once.");
        }
        return Finding.fine(
                "cluster",
                identity.shown().isPresent()
                        ? "positions are of this cluster"
                        : "positions are of this database; the server hides its identifier, so the identity kept in the"
                                + " schema is compared");
    }

    private Finding environment() throws SQLException {
        Optional<String> bound = JournalEnvironment.bound(examination);
        Optional<String> own = settings.environment();
        if (bound.isEmpty()) {
            return Finding.fine("environment", "the database is not bound to one");
        }
        if (own.isEmpty() || own.equals(bound)) {
            return Finding.fine("environment", "the database is bound to " + bound.get());
        }
        return Finding.problem(
                "environment",
                "the database is bound to " + bound.get() + ", and this configuration is for " + own.get()
                        + ": relays refuse to run",
                "Correct the address; or, if this copy now belongs to " + own.get()
                        + ", run waybill adopt --environment " + own.get() + " once.");
    }

    private Finding standbys(List<String> required) throws SQLException {
        List<String> connected = examination.query(STANDBYS, row -> row.getString(1));
        List<String> missing =
                required.stream().filter(name -> !connected.contains(name)).toList();
        if (!missing.isEmpty() || connected.isEmpty()) {
            return Finding.problem(
                    "standbys",
                    (missing.isEmpty() ? "no standby is connected" : "not connected: " + String.join(", ", missing))
                            + "; relays wait and publish nothing until the commits are on a standby",
                    "Start the standby, correct its application_name, or choose another wait-for.");
        }
        return Finding.fine("standbys", "connected: " + String.join(", ", connected));
    }
}
