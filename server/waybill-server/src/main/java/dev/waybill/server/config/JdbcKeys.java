package dev.waybill.server.config;

import java.util.Optional;
import javax.sql.DataSource;

/** How a database is reached. */
final class JdbcKeys {
    static final Key<String> URL = Key.required(
            "url",
            Scalars.TEXT
                    .hiding(Hiding.CREDENTIALS)
                    .called("a JDBC URL, such as jdbc:postgresql://localhost:5432/orders"),
            "The database, as a JDBC URL. It leads to the primary server, not through a pooler in transaction mode."
                    + " TLS is set here, as in `?sslmode=verify-full`; a user or a password is not, and is refused.");
    static final Key<String> USER = Key.optional("user", Scalars.TEXT, "The role to connect as.");
    static final Key<String> PASSWORD = Key.optional("password", Scalars.SECRET, "Its password.");

    private JdbcKeys() {}

    static DataSource dataSource(Section section) {
        Optional<String> user = section.find(USER);
        return new JdbcAddress(section.get(URL), user, section.find(PASSWORD)).dataSource();
    }
}
