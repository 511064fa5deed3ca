package dev.waybill.server.config;

import dev.waybill.RelayDefaults;
import dev.waybill.RetryPolicy;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.mongodb.MongoStore;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** {@code docs/configuration.md}: the text around the keys is here, the keys come from the schema. */
final class ReferencePage {
    private static final String INTRODUCTION = """
            # Configuration

            <!-- Made by `./waybill config --reference`. Keys come from waybill.schema.json, the text around them from ReferencePage. -->

            `./waybill run waybill.yaml` runs every relay of a file like this one until it is stopped:

            ```yaml
            %s```

            `./waybill config waybill.yaml` checks a file without connecting to anything and prints its effective values; a
            comment behind each value that is not in the file says where it comes from: `# default`, `# preset orders`, or the
            reference that it is expanded from. Secrets stay references. All errors are reported together,
            with line and path, and the exit code is 2. For editors there is a
            [JSON Schema](../server/waybill-server/src/main/resources/dev/waybill/server/config/waybill.schema.json), which
            `./waybill config --schema` prints; with the YAML language server the first line of a file can name it:
            `# yaml-language-server: $schema=waybill.schema.json`.
            The schema is the only definition of keys ([ADR 30](adr/0030-configuration-from-a-schema.md)).

            ## Values from elsewhere

            | written | means |
            |---|---|
            | `${NAME}` | the environment variable; an error if it is not set |
            | `${NAME:-otherwise}` | the same, or the text if it is not set or empty |
            | `${some.property:-otherwise}` | the same for the name of a property, with the variable's name by Spring's rule: `SOME_PROPERTY` |
            | `${file:PATH}` | the contents of the file, without leading and trailing white space; [read again](#new-passwords) for each connection where it is the password of a JDBC store |
            | `$${` | the characters `${` themselves |

            References may be anywhere in a value; inside `{ }` put the value in quotes. File names are relative to the configuration
            file. Passwords, credentials in addresses, and Kafka properties whose name looks like a secret are never shown: not by
            `config`, not in error messages, and not in the log, whatever writes it. `config` prints every other value
            expanded, and a value that contains a known secret as its reference. A message about a wrong value names the variable
            or file that it comes from, and does not repeat the value.

            Durations are a whole number with a unit: `50ms`, `5s`, `10m`, `12h`, `30d`. A variable that holds a bare number gets
            its unit in the file: `"${POLL_MS:-500}ms"`.

            ### New passwords

            The `password` of a store that is reached by JDBC is read again from its `${file:PATH}` for each new connection, so relays go on
            with the new one. While the file cannot be read, its last contents are used. Every other new secret needs a restart of the
            process: environment variables, values in the file itself, addresses with a password, MongoDB, and all secrets of destinations.

            ## Settings of the preset

            A [preset layout](table-outbox.md#the-presets) and a store in MongoDB bring the settings of the system they come from. They
            replace the defaults below for the relays of that store; a key in the file wins.

            %s
            [docs/examples](examples/README.md) has a file for each.

            ## The process

            Every relay fails, waits and recovers alone: a database or a broker that is unavailable, also at the start, delays only
            the relays that need it. Any number of processes may run the same file; each relay works in one of them, and
            another takes over when that one ends. They [share the relays of journals evenly](operations.md#several-processes).

            | path | answers |
            |---|---|
            | `/health` | 200 while the process answers |
            | `/ready` | 200 while every relay works, is idle or stands by; 503 if a relay does not run, or has been failing for `server.not-ready-after` without any progress, whatever the reason, or sends only events whose outcome is in doubt; 503 with the word `stopping` from SIGTERM on |
            | `/metrics` | [all metrics](metrics.md) in Prometheus' text format, rendered at most once a second and never waiting for a database or broker |
            | `/ui/` | the console |
            | `/api/` | the [admin API](admin-api.md); who may use it is in [security](security.md#the-console-and-the-admin-api) |

            The first three need no login and carry no data of events: no types, topics, keys, payloads or errors, only names of
            relays, stores, destinations and consumers, and numbers.

            SIGTERM ends the process cleanly: nothing more is sent, it waits for what is in flight (`grace`), saves positions and
            releases leases. `/health`, `/ready` and `/metrics` are served until the relays have stopped. A log line about one event ends with `eventId=…` and, if the event has a trace, `traceId=…`. `--log json`
            writes one JSON object per line with `time`, `level`, `message`, `relay` and the same two. `WAYBILL_LOG_LEVEL` (`debug`, `info`,
            `warn`, `error`) is the log level;
            `WAYBILL_DRIVER_LOG_LEVEL` is that of the clients of databases and brokers.
            """;

    private ReferencePage() {}

    static String text() {
        StringBuilder page =
                new StringBuilder(INTRODUCTION.formatted(ConfigurationSchema.resource("example.yaml"), presets()));
        page.append("\n## Keys\n\n").append(KeyTables.table(ConfigurationSchema.ROOT));
        StoreType.ALL.forEach(type -> append(page, "store", type.name()));
        DestinationType.ALL.forEach(type -> append(page, "destination", type.name()));
        page.append("\n### A relay\n\n").append(KeyTables.table(ConfigurationSchema.definition("relay")));
        return page.toString();
    }

    private static String presets() {
        StringBuilder rows = new StringBuilder(
                "| store | batch | poll.interval | poll.max-idle | poll.initial-delay | retry |\n|---|---|---|---|---|---|\n");
        ConfigurationSchema.definition("preset").path("enum").valueStream().forEach(name -> {
            RelayDefaults defaults = TableLayout.preset(name.asString()).relayDefaults();
            rows.append(preset("`layout: " + name.asString() + "`", defaults));
        });
        return rows.append(preset("`type: mongodb`", MongoStore.relayDefaults()))
                .toString();
    }

    private static String preset(String store, RelayDefaults relay) {
        if (relay.equals(RelayDefaults.standard())) {
            return "";
        }
        RetryPolicy retry = relay.retry();
        return String.format(
                Locale.ROOT,
                "| %s | %d | %s | %s | %s | %s retries, %s before the first, factor %s, at most %s |%n",
                store,
                relay.batch(),
                Durations.written(relay.pollInterval()),
                Durations.written(relay.maxIdle()),
                Durations.written(relay.initialDelay()),
                retry.isUnlimited() ? ConfiguredRelay.UNLIMITED : retry.retries(),
                Durations.written(retry.first()),
                retry.factor(),
                Durations.written(retry.max()));
    }

    private static void append(StringBuilder page, String kind, String type) {
        JsonNode section = ConfigurationSchema.definition(type);
        page.append("\n### A ").append(kind).append(" of type `").append(type).append("`\n\n");
        page.append(section.get("description").asString()).append("\n\n").append(KeyTables.table(section));
    }
}
