package dev.waybill.server.cli;

import dev.waybill.server.config.JdbcAddress;
import dev.waybill.server.secrets.AddressSecrets;
import dev.waybill.server.secrets.Secrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Selects a database. The password is not given on the command line, where other users could read it. */
final class StoreOptions {
    static final String PASSWORD_VARIABLE = "WAYBILL_DB_PASSWORD";

    @Option(
            names = "--url",
            required = true,
            paramLabel = "JDBC-URL",
            description = "database URL, such as jdbc:postgresql://localhost:5432/orders")
    @SuppressWarnings("NullAway.Init") // picocli sets required options before it runs the command
    private String url;

    @Option(names = "--user", paramLabel = "NAME", description = "role to connect as")
    private @Nullable String user;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "file with the password; default: the environment variable " + PASSWORD_VARIABLE)
    private @Nullable Path passwordFile;

    /** The name of the store: that of its database. */
    String name() {
        String path = url.split("[?;]", 2)[0];
        return path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf(':')) + 1);
    }

    /** For any database with a driver on the class path. */
    DataSource dataSource(Secrets secrets) {
        if (!AddressSecrets.in(url).isEmpty()) {
            throw new IllegalArgumentException(
                    "--url contains a password or another secret, which every user of this machine"
                            + " can read: give --user, and the password with --password-file FILE or in the environment variable "
                            + PASSWORD_VARIABLE + ". Other secrets go into a configuration file.");
        }
        Optional<String> password = password();
        password.ifPresent(secrets::add);
        return new JdbcAddress(url, Optional.ofNullable(user), password.map(text -> () -> text)).dataSource();
    }

    private Optional<String> password() {
        if (passwordFile == null) {
            return Optional.ofNullable(System.getenv(PASSWORD_VARIABLE));
        }
        try {
            return Optional.of(Files.readString(passwordFile).strip());
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "The password file " + passwordFile + " cannot be read: " + e.getMessage(), e);
        }
    }
}
