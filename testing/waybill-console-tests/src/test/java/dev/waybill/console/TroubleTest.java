package dev.waybill.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.FreePort;
import dev.waybill.server.access.PasswordHash;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a person sees when something is away, and what a viewer may not do. */
@Timeout(180)
class TroubleTest {
    private final Browser browser = Browser.shared();
    private final Scene scene = Scene.shared();

    @BeforeEach
    void wide() {
        browser.size(Browser.WIDE);
    }

    @Test
    void a_broker_that_is_away_is_the_first_thing_on_the_overview() throws Exception {
        String type = scene.createTopic(Scene.unused("away"));
        browser.open(scene.address("")).shows("No relay is stuck.");
        scene.kafka().stopBroker();
        try {
            scene.append(type, 10, "{}");
            browser.shows("PROBLEM")
                    .shows(Scene.RELAY + " stuck")
                    .shows("Check the broker")
                    .shows("backing off");
            browser.click("Open the relay").shows("the destination is unavailable");
        } finally {
            scene.kafka().restartBroker();
        }
        browser.shows("Running.").open(scene.address("")).shows("No relay is stuck.");
    }

    /** Such as one that gets its lease and waits in vain for a lock, again and again. */
    @Test
    void a_relay_that_fails_at_each_attempt_is_a_problem_also_while_it_tries() {
        browser.open(scene.address("")).shows(Scene.RELAY);
        Object shown = browser.evaluateLater("""
                Promise.all([import('/ui/judge.js'), import('/ui/live.js')]).then(([{ judge }, { live }]) => {
                  const known = live.receivedAt;
                  const relay = { store: 'made', relay: 'up', here: true, oldestSeconds: 5, publishedPerSecond: 0, dead: '0', parked: '0' };
                  const tries = (failingSeconds) => ({ ...relay, state: 'running', phase: 'running', failingSeconds });
                  const failed = (failingSeconds) => ({ ...relay, state: 'not running', phase: 'standing by', failingSeconds, problem: 'a lock' });
                  const shown = [tries(undefined), failed(3), tries(4), tries(5), failed(6), tries(7), tries(undefined)].map((sample, index) => {
                    live.receivedAt = index + 1;
                    const one = judge({ stores: [{ store: 'made', reachable: true, relays: [sample] }] })[0];
                    return one.tone + ' ' + one.words;
                  });
                  live.receivedAt = known;
                  done(shown.join(', '));
                });
                """);
        assertThat(shown)
                .isEqualTo("fine running, pending failing, dead failing, dead failing, dead failing, dead failing,"
                        + " fine running");
    }

    @Test
    void a_relay_that_was_dropped_and_is_still_configured_is_a_problem() throws Exception {
        String relay = Scene.unused("dropped");
        scene.addStoppedRelay(relay);
        browser.open(scene.address("relays/orders/" + relay)).click("Drop…");
        browser.shows("waybill relay restore " + relay)
                .fill("Reason", "OPS-4711: the warehouse moved to the new cluster last Thursday. ".repeat(12));
        browser.fill("Type " + relay, relay).click("Drop the relay");
        browser.until("is on the overview", "location.pathname === '/ui/'");
        int port = FreePort.choose();
        scene.withRelay(port, relay, () -> {
            browser.open(Scene.address(port, ""))
                    .shows("PROBLEM")
                    .shows(relay + " cannot start")
                    .shows("dropped it at")
                    .shows("waybill relay restore " + relay);
            browser.click("Open the relay").shows("Cannot start for ").shows("dropped it at");
            browser.shows("waybill relay restore " + relay);
            assertThat(browser.text()).doesNotContain("–.", "undefined", "NaN");
        });
    }

    /** As of a table that another process relays: its rate is not known here. */
    @Test
    void a_relay_of_unknown_rate_is_stuck_only_if_its_oldest_event_stays() {
        browser.open(scene.address("")).shows(Scene.RELAY);
        Object shown = browser.evaluateLater("""
                Promise.all([import('/ui/judge.js'), import('/ui/live.js')]).then(([{ judge }, { live, ringOf }]) => {
                  const known = live.receivedAt;
                  const seen = (name, oldest) => {
                    const relay = { store: 'made', relay: name, state: 'running', dead: '0', parked: '0' };
                    let one;
                    for (let second = 0; second < 40; second++) {
                      ringOf(relay).points.push({ at: second * 1000, oldest: oldest(second), rate: NaN });
                      live.receivedAt = second + 1;
                      one = judge({ stores: [{ store: 'made', reachable: true, relays: [{ ...relay, oldestSeconds: oldest(second) }] }] })[0];
                    }
                    return one.tone + ' ' + one.words;
                  };
                  const shown = [seen('moves', (second) => 600 + second * 0.5), seen('stays', (second) => 600 + second)];
                  live.receivedAt = known;
                  done(shown.join(', '));
                });
                """);
        assertThat(shown).isEqualTo("parked running, behind, dead stuck");
    }

    /** As of a table that another process relays, in a database that sometimes takes two seconds for an answer. */
    @Test
    void a_stuck_relay_stays_stuck_although_some_readings_are_slow() {
        browser.open(scene.address("")).shows(Scene.RELAY);
        Object shown = browser.evaluateLater("""
                Promise.all([import('/ui/judge.js'), import('/ui/live.js')]).then(([{ judge }, { live, ringOf }]) => {
                  const known = live.receivedAt;
                  const relay = { store: 'made', relay: 'slow', state: 'running', dead: '0', parked: '0' };
                  const shown = new Set();
                  for (let second = 0; second < 90; second++) {
                    const late = second % 7 === 3 ? 1500 : second % 7 === 4 ? 1000 : 0;
                    ringOf(relay).points.push({ at: second * 1000 + late, oldest: 100 + second, rate: NaN });
                    live.receivedAt = second + 1;
                    const one = judge({ stores: [{ store: 'made', reachable: true, relays: [{ ...relay, oldestSeconds: 100 + second }] }] })[0];
                    if (second > 20) {
                      shown.add(one.tone + ' ' + one.words);
                    }
                  }
                  live.receivedAt = known;
                  done([...shown].join(', '));
                });
                """);
        assertThat(shown).isEqualTo("dead stuck");
    }

    @Test
    void a_relay_that_published_before_the_page_was_opened_is_not_stuck() {
        browser.open(scene.address("")).shows(Scene.RELAY);
        Object shown = browser.evaluateLater("""
                Promise.all([import('/ui/judge.js'), import('/ui/live.js')]).then(([{ judge }, { live, ringOf, fillRing }]) => {
                  const known = live.receivedAt;
                  const relay = { store: 'made', relay: 'bursts', here: true, state: 'running', phase: 'running', oldestSeconds: 70, publishedPerSecond: 0, dead: '0', parked: '0' };
                  const now = Date.now();
                  fillRing(ringOf(relay), [...Array(60).keys()].map((second) => ({
                    at: new Date(now - 60000 + second * 1000).toISOString(), backlog: '10', oldest: 70, published: second % 5 === 0 ? 2500 : 0,
                  })));
                  const shown = [0, 1, 2].map((second) => {
                    live.receivedAt = second + 1;
                    ringOf(relay).points.push({ at: now + second * 1000, backlog: 10, oldest: 70, rate: 0 });
                    const one = judge({ stores: [{ store: 'made', reachable: true, relays: [relay] }] })[0];
                    return one.tone + ' ' + one.words;
                  });
                  live.receivedAt = known;
                  done(shown.at(-1));
                });
                """);
        assertThat(shown).isEqualTo("parked running, behind");
    }

    @Test
    void events_that_are_tried_again_for_an_hour_are_not_fine() {
        browser.open(scene.address("")).shows(Scene.RELAY);
        Object shown = browser.evaluateLater("""
                Promise.all([import('/ui/judge.js'), import('/ui/live.js')]).then(([{ judge, sentence }, { live }]) => {
                  const relay = { store: 'made', relay: 'parks', state: 'running', backlog: '0', backlogExact: true, dead: '0', parked: '7' };
                  done([60, 7200].map((oldestParkedSeconds) => {
                    const one = judge({ stores: [{ store: 'made', reachable: true, relays: [{ ...relay, relay: 'parks' + oldestParkedSeconds, oldestParkedSeconds }] }] })[0];
                    return one.tone + ' ' + one.words + ': ' + sentence(one);
                  }).join(' | '));
                });
                """);
        assertThat(shown)
                .isEqualTo(
                        "fine running: Running. 0 events wait. | parked running, parked events: Running. 0 events wait."
                                + " 7 events are parked, the oldest of them 2 h old: see their errors.");
    }

    @Test
    void values_stay_and_get_old_while_the_process_is_away_and_are_live_again_afterwards() throws Exception {
        int port = FreePort.choose();
        scene.withAnother(port, "not-ready-after: 1d", () -> {
            browser.open(Scene.address(port, "")).shows(Scene.RELAY).shows("live");
            assertThat(browser.text())
                    .as("the other process runs the relays, or both run one")
                    .contains("PROCESSES");
            browser.shows("this process").open(Scene.address(port, "relays/orders/" + Scene.RELAY));
            browser.shows("standing by").shows("1 process").open(Scene.address(port, ""));
            browser.shows(Scene.RELAY).shows("live");
        });
        browser.shows("no answer from the process").shows("Not known now").shows(Scene.RELAY);
        assertThat(browser.text()).doesNotContain("No relay is stuck.");
        browser.until("values are greyed", "document.querySelectorAll('tr.stale .age-note').length >= 2");
        scene.withAnother(
                port,
                "not-ready-after: 1d",
                () -> browser.until("is live", "!document.querySelector('tr.stale')")
                        .shows("live"));
    }

    @Test
    void a_viewer_sees_what_an_operator_may_do_and_why_not() throws Exception {
        String users = "users: { ada: { password: \"%s\", role: operator }, vic: { password: \"%s\", role: viewer } }"
                .formatted(
                        PasswordHash.make("right horse").text(),
                        PasswordHash.make("battery staple").text());
        int port = FreePort.choose();
        String relay = Scene.address(port, "relays/orders/" + Scene.RELAY);
        browser.forgetCookies();
        try {
            scene.withAnother(port, users, () -> signInAsBoth(relay));
        } finally {
            browser.forgetCookies();
        }
    }

    private void signInAsBoth(String relay) {
        browser.open(relay).shows("Sign in to Waybill");
        assertThat(browser.axe()).isEmpty();
        browser.fill("Name", "vic")
                .fill("Password", "wrong")
                .click("Sign in")
                .until("is refused", "document.querySelector('[role=alert]')");
        browser.fill("Password", "battery staple")
                .click("Sign in")
                .shows("CHARTS")
                .shows("needs the role operator");
        assertThat(browser.all("button[aria-disabled=true]")).hasSizeGreaterThanOrEqualTo(2);
        assertThat(browser.axe()).isEmpty();
        browser.click("Sign out").shows("Sign in to Waybill");
        browser.fill("Name", "ada")
                .fill("Password", "right horse")
                .click("Sign in")
                .shows("CHARTS");
        assertThat(browser.text()).doesNotContain("needs the role operator");
        assertThat(browser.evaluate(
                                "return JSON.stringify(localStorage) + JSON.stringify(sessionStorage) + document.cookie")
                        .toString())
                .doesNotContain("waybill-session");
    }
}
