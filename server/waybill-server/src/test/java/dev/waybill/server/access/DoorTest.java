package dev.waybill.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.server.http.Request;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DoorTest {
    private static final PasswordHash HASH = PasswordHash.parse(QuickHash.HASH);
    private static final AccessRules RULES = new AccessRules(
            true,
            Map.of("ada", new AccessRules.User(HASH, Role.OPERATOR)),
            Map.of(),
            Optional.of(new AccessRules.TrustedProxy(
                    List.of(AddressRange.parse("10.1.0.0/16")), "x-user", Optional.of("x-role"), Role.VIEWER)),
            Set.of(),
            false);

    private Instant now = Instant.EPOCH;
    private final Door door = new Door(RULES, () -> now);

    private static Request from(String address, Map<String, String> headers) throws Exception {
        return new Request("GET", "/", Map.of(), headers, Set.of(), new byte[0], InetAddress.getByName(address));
    }

    private Role role(String address, Map<String, String> headers) throws Exception {
        return door.caller(from(address, headers)).role();
    }

    @Test
    void a_proxy_names_people_and_roles_from_its_own_addresses_only() throws Exception {
        assertThat(role("10.1.2.3", Map.of("x-user", "ada"))).isEqualTo(Role.VIEWER);
        assertThat(role("10.1.2.3", Map.of("x-user", "ada", "x-role", "operator")))
                .isEqualTo(Role.OPERATOR);
        assertThat(role("10.1.2.3", Map.of("x-user", "ada", "x-role", "emperor")))
                .isEqualTo(Role.VIEWER);
        assertThat(role("10.1.2.3", Map.of("x-role", "operator"))).isEqualTo(Role.ANYONE);
        assertThat(role("10.2.2.3", Map.of("x-user", "ada", "x-role", "operator")))
                .isEqualTo(Role.ANYONE);
        assertThat(role("::1", Map.of("x-user", "ada", "x-role", "operator"))).isEqualTo(Role.ANYONE);
        assertThat(role("10.1.2.3", Map.of("x-user", "a\u0085da"))).isEqualTo(Role.ANYONE);
        assertThat(role("10.1.2.3", Map.of("x-user", received("ada\u202e")))).isEqualTo(Role.ANYONE);
        assertThat(door.caller(from("10.1.2.3", Map.of("x-user", received("Šárka"))))
                        .name())
                .isEqualTo("Šárka");
        assertThat(door.caller(from("10.1.2.3", Map.of("x-user", "jos\u00e9"))).name())
                .as("from a proxy that sends ISO 8859-1")
                .isEqualTo("jos\u00e9");
    }

    /** A header in UTF-8 as it is read: each byte is a character. */
    private static String received(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    @Test
    void sessions_end_without_use_and_after_half_a_day() throws Exception {
        Request plain = from("127.0.0.1", Map.of());
        String cookie = door.login("ada", QuickHash.PASSWORD, plain).setCookie().split(";", -1)[0];
        Map<String, String> headers = Map.of("cookie", cookie);
        for (int hour = 0; hour < 11; hour++) {
            now = now.plus(Duration.ofHours(1));
            assertThat(role("127.0.0.1", headers)).isEqualTo(Role.OPERATOR);
        }
        now = now.plus(Duration.ofHours(2));
        assertThat(role("127.0.0.1", headers)).as("after 13 hours").isEqualTo(Role.ANYONE);

        String other = door.login("ada", QuickHash.PASSWORD, plain).setCookie().split(";", -1)[0];
        now = now.plus(Duration.ofHours(3));
        assertThat(role("127.0.0.1", Map.of("cookie", other)))
                .as("unused for 3 hours")
                .isEqualTo(Role.ANYONE);
    }

    @Test
    void sessions_are_bounded_and_the_longest_unused_goes_first() {
        LoginSessions sessions = new LoginSessions(() -> now);
        String first = sessions.begin(new Caller("ada", Role.VIEWER));
        String second = sessions.begin(new Caller("bob", Role.VIEWER));
        sessions.find(first);
        for (int i = 0; i < LoginSessions.MOST - 1; i++) {
            sessions.begin(new Caller("eve " + i, Role.VIEWER));
        }
        assertThat(sessions.find(first)).isPresent();
        assertThat(sessions.find(second)).isEmpty();
    }

    @Test
    void a_user_who_signs_in_again_and_again_ends_only_sessions_of_that_user() {
        LoginSessions sessions = new LoginSessions(() -> now);
        String ada = sessions.begin(new Caller("ada", Role.OPERATOR));
        String first = sessions.begin(new Caller("vic", Role.VIEWER));
        String last = first;
        for (int i = 0; i < 2 * LoginSessions.MOST; i++) {
            last = sessions.begin(new Caller("vic", Role.VIEWER));
        }
        assertThat(sessions.find(ada)).isPresent();
        assertThat(sessions.find(first)).isEmpty();
        assertThat(sessions.find(last)).isPresent();
    }

    @Test
    void failed_logins_must_wait_longer_each_time_and_others_need_not() {
        LoginThrottle throttle = new LoginThrottle(() -> now);
        for (int i = 0; i < LoginThrottle.FREE_PER_NAME; i++) {
            throttle.check("ada", "10.0.0.1");
            throttle.failed("ada", "10.0.0.1");
        }
        assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> throttle.check("ada", "10.0.0.1"));
        throttle.check("ada", "10.0.0.2");
        throttle.check("bob", "10.0.0.1");
        now = now.plusSeconds(1);
        throttle.check("ada", "10.0.0.1");
        throttle.failed("ada", "10.0.0.1");
        now = now.plusSeconds(1);
        assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> throttle.check("ada", "10.0.0.1"));
        throttle.succeeded("ada", "10.0.0.1");
        throttle.check("ada", "10.0.0.1");
        for (int i = 0; i < LoginThrottle.FREE_PER_ADDRESS; i++) {
            throttle.failed("name " + i, "10.0.0.3");
        }
        assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> throttle.check("another", "10.0.0.3"));
    }

    @Test
    void of_a_long_name_only_the_beginning_is_remembered() {
        LoginThrottle throttle = new LoginThrottle(() -> now);
        String name = "\u0416".repeat(9_000);
        for (int i = 0; i < LoginThrottle.FREE_PER_NAME; i++) {
            throttle.failed(name + i, "10.0.0.1");
        }
        assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> throttle.check(name + "x", "10.0.0.1"));
    }

    @Test
    void hashes_match_only_their_text_and_show_nothing() {
        PasswordHash made = PasswordHash.make("swordfish");
        assertThat(PasswordHash.parse(made.text()).matches("swordfish")).isTrue();
        assertThat(HASH.matches("swordfish")).isFalse();
        assertThat(HASH.matches(QuickHash.PASSWORD)).isTrue();
        assertThat(HASH.toString()).doesNotContain(HASH.text());
    }
}
