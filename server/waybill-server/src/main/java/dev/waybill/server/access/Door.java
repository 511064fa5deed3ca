package dev.waybill.server.access;

import dev.waybill.server.http.Request;
import dev.waybill.spi.Printable;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;

/** Checks every request to the admin API: where it comes from, and who makes it. Safe for use by many threads. */
public final class Door {
    static final String COOKIE = "waybill-session";

    private static final String BEARER = "Bearer ";
    private static final int LONGEST_PASSWORD = 1_000;
    /**
     * Names of people: no control characters, no space but the plain one, none that are invisible or change the direction of text,
     * and not longer than the audit's column.
     */
    private static final Pattern NAME = Pattern.compile(
            "(?! )[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S} &&[^\\x{34f}\\x{115f}\\x{1160}"
                    + "\\x{17b4}\\x{17b5}\\x{180b}-\\x{180f}\\x{2800}\\x{3164}\\x{fe00}-\\x{fe0f}\\x{ffa0}\\x{e0100}-\\x{e01ef}]]{1,100}(?<! )");

    private final AccessRules rules;
    private final LoginSessions sessions;
    private final LoginThrottle throttle;
    private final FailedLogins failed;
    /** Takes the time of a real one, so that a wrong name and a wrong password take equally long. */
    private final PasswordHash nobodys = PasswordHash.ofNobody();

    /** Hashing is slow on purpose, and must not take all processors and workers. */
    private final Semaphore hashing = new Semaphore(2);

    public Door(AccessRules rules, InstantSource clock) {
        this.rules = rules;
        this.sessions = new LoginSessions(clock);
        this.throttle = new LoginThrottle(clock);
        this.failed = new FailedLogins(clock);
    }

    public AccessRules rules() {
        return rules;
    }

    /** Number of logins with a wrong name, password or token since the start of the process. */
    public long failedLogins() {
        return failed.count();
    }

    /**
     * Another site's page can make a browser send requests here under a name of its own. Its name is not a name of this process.
     *
     * @throws RefusedException if the request is for another host
     */
    public void checkHost(Request request) {
        String host = hostname(request.header("host").orElse(""));
        boolean known = host.equals("localhost")
                || (host.startsWith("[") && host.endsWith("]"))
                || (AddressRange.isAddress(host) && !host.contains(":"))
                || rules.hosts().contains(host);
        if (!known) {
            throw new RefusedException(
                    "421 Misdirected Request",
                    "wrong-host",
                    "This process is not known under the name in the address: use localhost or its address in numbers, or add"
                            + " the name to server.hosts in the configuration.");
        }
    }

    /** Without the port, in lower case. */
    private static String hostname(String host) {
        String lower = host.strip().toLowerCase(Locale.ROOT);
        int colon = lower.lastIndexOf(':');
        return colon > lower.lastIndexOf(']') ? lower.substring(0, colon) : lower;
    }

    /**
     * @param change whether it is a POST
     * @throws RefusedException if a page of another site made the request, or may have made it
     */
    public void checkSite(Request request, boolean change) {
        Optional<String> site = request.header("sec-fetch-site");
        boolean foreign = site.isPresent()
                && !site.get().equals("same-origin")
                && (change || !site.get().equals("none"));
        if (foreign || (change && !isOwnOrigin(request))) {
            throw new RefusedException(
                    "403 Forbidden", "cross-site", "The request comes from a page of another site, and is refused.");
        }
        if (change && !isJson(request)) {
            throw new RefusedException(
                    "415 Unsupported Media Type",
                    "not-json",
                    "Send the body as JSON, with Content-Type: application/json.");
        }
    }

    private static boolean isOwnOrigin(Request request) {
        Optional<String> origin = request.header("origin");
        if (origin.isEmpty()) {
            return true;
        }
        try {
            String authority = URI.create(origin.get()).getAuthority();
            return authority != null
                    && authority.equalsIgnoreCase(request.header("host").orElse(""));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isJson(Request request) {
        return request.header("content-type")
                .map(type -> type.split(";", -1)[0].strip())
                .filter("application/json"::equalsIgnoreCase)
                .isPresent();
    }

    /**
     * Who makes the request; {@link Role#ANYONE} if unknown.
     *
     * @throws RefusedException if a proxy names two people or two roles
     */
    public Caller caller(Request request) {
        if (!rules.authenticates()) {
            return new Caller(System.getProperty("user.name", "unknown"), Role.OPERATOR);
        }
        Optional<String> bearer = request.header("authorization")
                .filter(value -> value.regionMatches(true, 0, BEARER, 0, BEARER.length()))
                .map(value -> value.substring(BEARER.length()).strip());
        if (bearer.isPresent()) {
            return ofToken(bearer.get()).orElseGet(() -> {
                failed.add(
                        "an unknown token",
                        request.from().getHostAddress(),
                        "no token of the configuration has its hash");
                return Caller.NOBODY;
            });
        }
        return ofProxy(request)
                .or(() -> request.cookie(COOKIE).flatMap(sessions::find))
                .orElse(Caller.NOBODY);
    }

    private Optional<Caller> ofToken(String token) {
        TokenHash hash = TokenHash.make(token);
        Optional<Caller> found = Optional.empty();
        for (Map.Entry<String, AccessRules.Token> each : rules.tokens().entrySet()) {
            if (each.getValue().hash().matches(hash)) {
                found = Optional.of(new Caller(each.getKey(), each.getValue().role()));
            }
        }
        return found;
    }

    private Optional<Caller> ofProxy(Request request) {
        return rules.proxy()
                .filter(proxy -> proxy.addresses().stream().anyMatch(range -> range.contains(request.from())))
                .flatMap(proxy -> once(proxy.userHeader(), request)
                        .map(Door::decoded)
                        .filter(name -> NAME.matcher(name).matches())
                        .map(name -> new Caller(name, role(proxy, request))));
    }

    /** The value of a header of the proxy. If there are two, one may be the client's own. */
    private static Optional<String> once(String header, Request request) {
        if (request.repeated().contains(header)) {
            throw new RefusedException(
                    "400 Bad Request",
                    "bad-request",
                    "The header " + header
                            + " occurs twice: the proxy must remove what its clients send under this name.");
        }
        return request.header(header);
    }

    /** Headers are read byte by byte; most proxies send UTF-8. */
    private static String decoded(String name) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(name.getBytes(StandardCharsets.ISO_8859_1)))
                    .toString();
        } catch (CharacterCodingException e) {
            return name;
        }
    }

    /** An unknown role is the least one. */
    private static Role role(AccessRules.TrustedProxy proxy, Request request) {
        return proxy.roleHeader()
                .flatMap(name -> once(name, request))
                .map(word -> Role.of(word).orElse(Role.VIEWER))
                .orElse(proxy.role());
    }

    /** @throws RefusedException if the caller may not use a route for this role */
    public void require(Role role, Caller caller) {
        if (role == Role.OPERATOR && rules.readOnly()) {
            throw new RefusedException(
                    "403 Forbidden", "read-only", "This process changes nothing: it is read-only (server.read-only).");
        }
        if (caller.role().includes(role)) {
            return;
        }
        if (caller.role() == Role.ANYONE) {
            throw new RefusedException("401 Unauthorized", "not-signed-in", "Sign in first, or send a valid token.");
        }
        throw new RefusedException(
                "403 Forbidden",
                "not-allowed",
                "This needs the role " + role.word() + "; you have "
                        + caller.role().word() + ".");
    }

    /** Somebody who has just signed in, and the value of the header that sets the cookie. */
    public record Entered(Caller caller, String setCookie) {}

    /** @throws RefusedException if name or password is wrong, or after too many failures */
    public Entered login(String name, String password, Request request) {
        String address = request.from().getHostAddress();
        AccessRules.User user = rules.users().get(name);
        String who = user == null ? "an unknown user" : "the user " + Printable.of(name);
        try {
            throttle.check(name, address);
        } catch (RefusedException e) {
            failed.add(who, address, "too many failed before, so the password was not checked");
            throw e;
        }
        boolean right = isRight(user == null ? nobodys : user.password(), password);
        if (!right || user == null) {
            throttle.failed(name, address);
            failed.add(who, address, user == null ? "there is no user of this name" : "the password is wrong");
            throw new RefusedException("401 Unauthorized", "not-signed-in", "The name or the password is wrong.");
        }
        throttle.succeeded(name, address);
        Caller caller = new Caller(name, user.role());
        return new Entered(caller, cookie(sessions.begin(caller), request));
    }

    private boolean isRight(PasswordHash hash, String password) {
        if (!hashing.tryAcquire()) {
            throw RefusedException.tooMany("Too many logins at once: try again.", Duration.ofSeconds(1));
        }
        try {
            return password.length() <= LONGEST_PASSWORD && hash.matches(password);
        } finally {
            hashing.release();
        }
    }

    /** Ends the session; the value of the header that removes the cookie. */
    public String logout(Request request) {
        request.cookie(COOKIE).ifPresent(sessions::end);
        return cookie("", request) + "; Max-Age=0";
    }

    private static String cookie(String value, Request request) {
        // A browser names the page's origin with every POST: with https, the cookie is for https only.
        boolean secure = request.header("origin").orElse("").startsWith("https:");
        return COOKIE + "=" + value + "; Path=/; HttpOnly; SameSite=Strict" + (secure ? "; Secure" : "");
    }
}
