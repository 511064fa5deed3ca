package dev.waybill.server.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** {@code docs/configuration.md}: what is said around the keys is here, the keys themselves come from their definitions. */
final class ReferencePage {
    private static final String INTRODUCTION = """
            # Configuration

            <!-- Made by `./waybill config --reference` from the code that reads the file. Change it there. -->

            `./waybill run waybill.yaml` runs every relay of a file like this one until it is stopped:

            ```yaml
            %s```

            `./waybill config waybill.yaml` checks a file without connecting to anything and prints it with all defaults. Every
            mistake is told at once, with its line and path, and the exit code is 2. For editors there is a
            [JSON Schema](../server/waybill-server/src/main/resources/dev/waybill/server/config/waybill.schema.json), which
            `./waybill config --schema` prints; with the YAML language server the first line of a file can name it:
            `# yaml-language-server: $schema=waybill.schema.json`.

            ## Values from elsewhere

            | written | stands for |
            |---|---|
            | `${NAME}` | the environment variable; a mistake when it is not set |
            | `${NAME:-otherwise}` | the same, or the text when it is not set or empty |
            | `${file:PATH}` | what the file contains, without spaces and line ends around it |
            | `$${` | the characters `${` themselves |

            References may stand anywhere in a value; inside `{ }` put the value in quotes. Names of files are relative to the
            configuration file. Passwords, credentials in addresses, and Kafka properties whose name sounds like a secret are
            never shown: not by `config`, not in messages about mistakes, and not in the log, whoever writes them.

            Durations are a whole number with a unit: `50ms`, `5s`, `10m`, `12h`, `30d`.

            ## The process

            Every relay fails, waits and recovers alone: a database or a broker that is away, also at the start, holds up only
            the relays that need it. Any number of processes may run the same file; each relay works in one of them, and
            another takes over when that one ends.

            | path | answers |
            |---|---|
            | `/health` | 200 while the process answers |
            | `/ready` | 200 while every relay works, is idle or stands by; 503 when one does not run, or has been failing for `server.not-ready-after` without getting anything done, whatever is away, or sends nothing but what is in doubt |

            SIGTERM ends the process cleanly: nothing more is sent, what is out is waited for (`grace`), positions are saved and
            leases given back. `--log json` writes one JSON object per line with `time`, `level`, `message`, `relay` and, where
            it is about one event, `eventId`. `WAYBILL_LOG_LEVEL` (`debug`, `info`, `warn`, `error`) says how much is logged.
            `WAYBILL_DRIVER_LOG_LEVEL` says the same for the clients of databases and brokers.
            """;

    private ReferencePage() {}

    static String text() {
        KeyTables tables = new KeyTables();
        StringBuilder page = new StringBuilder(INTRODUCTION.formatted(example()));
        page.append("\n## Keys\n\n").append(tables.table(RootBlock.BLOCK));
        for (StoreType type : StoreType.ALL) {
            page.append("\n### A store of type `").append(type.name()).append("`\n\n");
            page.append(type.doc()).append("\n\n").append(tables.table(type.block()));
        }
        for (DestinationType type : DestinationType.ALL) {
            page.append("\n### A destination of type `").append(type.name()).append("`\n\n");
            page.append(type.doc()).append("\n\n").append(tables.table(type.block()));
        }
        page.append("\n### A relay\n\n").append(tables.table(RelayBlock.BLOCK));
        return page.toString();
    }

    private static String example() {
        try (InputStream file =
                Objects.requireNonNull(ReferencePage.class.getResourceAsStream("example.yaml"), "example.yaml")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("The example of a configuration cannot be read.", e);
        }
    }
}
