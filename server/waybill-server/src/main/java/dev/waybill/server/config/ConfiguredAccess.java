package dev.waybill.server.config;

import dev.waybill.server.access.AccessRules;
import dev.waybill.server.access.AddressRange;
import dev.waybill.server.access.PasswordHash;
import dev.waybill.server.access.Role;
import dev.waybill.server.access.TokenHash;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Who may use the admin API, from the section {@code server}. Reports all mistakes. */
final class ConfiguredAccess {
    private final Section server;

    private ConfiguredAccess(Section server) {
        this.server = server;
    }

    /** @param address where it is served */
    static AccessRules of(Section server, InetAddress address) {
        return new ConfiguredAccess(server).read(address);
    }

    private AccessRules read(InetAddress address) {
        Map<String, AccessRules.User> users = new LinkedHashMap<>();
        server.section("users")
                .sections()
                .forEach((name, user) -> parsed(user, "password", PasswordHash::parse)
                        .ifPresent(hash -> users.put(name, new AccessRules.User(hash, role(user)))));
        Map<String, AccessRules.Token> tokens = new LinkedHashMap<>();
        server.section("tokens")
                .sections()
                .forEach((name, token) -> parsed(token, "hash", TokenHash::parse)
                        .ifPresent(hash -> tokens.put(name, new AccessRules.Token(hash, role(token)))));
        AccessRules rules = new AccessRules(
                server.get("console", Boolean.class),
                users,
                tokens,
                server.findSection("trusted-proxy").map(ConfiguredAccess::proxy),
                hosts(),
                server.get("read-only", Boolean.class));
        if (rules.console() && !rules.authenticates() && !address.isLoopbackAddress()) {
            server.mistake(
                    "address",
                    "lets other machines use the console and the admin API without a login: add server.users (waybill password"
                            + " makes the hash), server.tokens or server.trusted-proxy, or use 127.0.0.1, or set server.console:"
                            + " false to serve only /health, /ready and /metrics");
        }
        return rules;
    }

    private static Role role(Section section) {
        return section.get("role", Role.class);
    }

    private Set<String> hosts() {
        return server.list("hosts").stream()
                .map(host -> host.strip().toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static AccessRules.TrustedProxy proxy(Section section) {
        List<AddressRange> addresses = section.list("addresses").stream()
                .flatMap(text -> parsed(section, "addresses", text, AddressRange::parse).stream())
                .toList();
        return new AccessRules.TrustedProxy(
                addresses, header(section, "user-header").orElse(""), header(section, "role-header"), role(section));
    }

    private static Optional<String> header(Section section, String key) {
        return section.findText(key).map(name -> name.strip().toLowerCase(Locale.ROOT));
    }

    private static <T> Optional<T> parsed(Section section, String key, Function<String, T> parsing) {
        return section.findText(key).flatMap(text -> parsed(section, key, text, parsing));
    }

    private static <T> Optional<T> parsed(Section section, String key, String text, Function<String, T> parsing) {
        try {
            return Optional.of(parsing.apply(text));
        } catch (IllegalArgumentException e) {
            section.mistake(key, Objects.requireNonNullElse(e.getMessage(), "cannot be used"));
            return Optional.empty();
        }
    }
}
