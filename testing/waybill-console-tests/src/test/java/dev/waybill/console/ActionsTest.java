package dev.waybill.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.testkit.Await;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every change, from its preview to the page of its operation; what it did is read from the store. */
@Timeout(180)
class ActionsTest {
    private static final String DEAD = "select count(*) from waybill.parked p join waybill.event e using (seq)"
            + " where p.relay = 'orders-to-kafka' and p.state = 'dead' and e.type = ?";
    private static final String AUDITED = "select count(*) from waybill.audit where action = ? and why = ?";

    private static final String REPLAY =
            "[...document.querySelectorAll('button')].find(e => e.innerText.startsWith('Replay these')).";

    private final Browser browser = Browser.shared();
    private final Scene scene = Scene.shared();

    @BeforeEach
    void wide() {
        browser.size(Browser.WIDE);
    }

    @Test
    void a_group_of_dead_events_is_requeued() throws Exception {
        String type = Scene.unused("requeued");
        scene.appendDead(type, 30);
        scene.createTopic(type);
        openGroup(type).click("Requeue").shows("may arrive late").shows("did not hold their keys");
        assertThat(browser.focused()).isEqualTo("Cancel");
        browser.fill("Reason", "the topic exists now").click("Requeue 30").shows("done: 30 of 30");
        assertThat(browser.address()).contains("/ui/operations/");
        Await.until("none is dead", () -> scene.number(DEAD, type) == 0);
        assertThat(scene.number(AUDITED, "requeue", "the topic exists now")).isPositive();
    }

    @Test
    void selected_events_are_discarded_after_a_reason() throws Exception {
        String type = Scene.unused("discarded");
        scene.appendDead(type, 5);
        openGroup(type).until("has rows", "document.querySelectorAll('td.select input').length === 5");
        browser.evaluate("[...document.querySelectorAll('td.select input')].slice(0, 2).forEach(e => e.click())");
        browser.shows("2 selected").click("Discard selected").shows("This cannot be undone");
        browser.shows("The same in a terminal");
        assertThat(browser.evaluate("return document.querySelector('dialog button[type=submit]').disabled"))
                .isEqualTo(true);
        browser.fill("Reason", "made by a test").click("Discard 2").shows("done: 2 of 2");
        assertThat(scene.number(DEAD, type)).isEqualTo(3);
        assertThat(scene.number(AUDITED, "discard", "made by a test")).isPositive();
    }

    @Test
    void an_operation_is_cancelled_between_two_steps() throws Exception {
        String type = Scene.unused("cancelled");
        scene.appendDead(type, 300);
        openGroup(type).click("Discard").fill("Reason", "slowly").fill("At most per second", "5");
        browser.click("Discard 300").shows("running: ").click("Cancel the rest").shows("cancelled: ");
        long done = Long.parseLong((String) browser.evaluate(
                "return document.querySelector('.headline').innerText.match(/cancelled: ([\\d,]+) of 300/)[1]"));
        assertThat(done).isLessThan(300);
        assertThat(scene.number(DEAD, type)).isEqualTo(300 - done);
    }

    @Test
    void a_relay_is_paused_and_resumed() throws Exception {
        browser.open(scene.address("relays/orders/" + Scene.OTHER_RELAY)).click("Pause…");
        browser.shows("nothing is lost")
                .fill("Reason", "schema change")
                .click("Pause the relay")
                .shows("Paused.");
        assertThat(scene.text("select paused from waybill.relay where name = ?", Scene.OTHER_RELAY))
                .isEqualTo("t");
        browser.open(scene.address("")).shows("1 paused").shows("schema change");
        browser.open(scene.address("relays/orders/" + Scene.OTHER_RELAY)).click("Resume…");
        browser.click("Resume the relay").shows("Running.");
        assertThat(scene.text("select paused from waybill.relay where name = ?", Scene.OTHER_RELAY))
                .isEqualTo("f");
    }

    @Test
    void a_relay_that_does_not_run_is_dropped_by_typing_its_name() throws Exception {
        String relay = Scene.unused("old-export");
        scene.addStoppedRelay(relay);
        browser.open(scene.address("relays/orders/" + Scene.RELAY)).shows("a process runs it; stop it first");
        browser.open(scene.address("relays/orders/" + relay)).click("Drop…").shows("to confirm");
        browser.fill("Reason", "not needed");
        assertThat(browser.evaluate("return document.querySelector('dialog button[type=submit]').disabled"))
                .isEqualTo(true);
        browser.fill("Type " + relay, relay).click("Drop the relay");
        browser.until("is on the overview", "location.pathname === '/ui/'");
        assertThat(scene.number("select count(*) from waybill.relay where name = ?", relay))
                .isZero();
    }

    @Test
    void a_payload_is_shown_after_a_reason_and_who_looked_is_audited() throws Exception {
        String type = Scene.unused("shown");
        scene.append(type, 1, "{\"amount\": 12345678901234567890, \"lines\": []}");
        browser.open(scene.address("events/orders/" + scene.idOf(type))).shows("hidden: it may hold personal data");
        assertThat(browser.text()).doesNotContain("12345678901234567890");
        browser.click("Show the payload").fill("Reason", "ticket 7").click("Show");
        browser.shows("\"amount\": 12345678901234567890").shows("\"lines\": []");
        assertThat(scene.number("select count(*) from waybill.audit where why = 'ticket 7'"))
                .isEqualTo(1);
    }

    @Test
    void letters_are_sent_back_and_discarded() throws Exception {
        String origin = scene.createTopic(Scene.unused("letters"));
        String letters = scene.createTopic(origin + ".dlt");
        for (int i = 0; i < 3; i++) {
            scene.sendLetter(letters, origin, "customer " + i + " is unknown", "billing");
        }
        String page = scene.address("dead-letters/kafka/" + letters);
        browser.open(page).shows("3 letters, all there are");
        browser.evaluate("document.querySelector('td.select input').click()");
        browser.click("Send back selected").click("Send back 1").shows("done: 1 of 1");
        browser.open(page).shows("2 letters, all there are").click("Discard");
        browser.fill("Reason", "test data").click("Discard 2").shows("done: 2 of 2");
        browser.open(page).shows("There is no letter here");
    }

    @Test
    void events_are_replayed_from_the_filter() throws Exception {
        String type = scene.createTopic(Scene.unused("replayed"));
        scene.append(type, 20, "{}");
        Await.until("published by both relays", () -> scene.messagesIn(type) == 40);
        browser.open(scene.address("events?store=orders&relay=" + Scene.RELAY + "&type=" + type));
        browser.shows("20 rows").click("Replay these").shows("Name of the replay");
        browser.fill("Reason", "index rebuilt").click("Replay 20").shows("of 20");
        browser.until("has ended", "/(done|failed|cancelled): /.test(document.querySelector('.headline').innerText)");
        browser.shows("done: 20 of 20").open(scene.address("replays")).shows("index rebuilt");
    }

    /** As if the journal were too large: counting stopped after three events. */
    private static final String COUNTED_THREE = """
            const three = (one) => one?.action !== 'replay' ? one
              : one.token ? { ...one, count: '3', exact: false } : { ...one, total: '3', totalExact: false };
            const parse = JSON.parse;
            JSON.parse = (text) => three(parse(text));
            const json = Response.prototype.json;
            Response.prototype.json = function () { return json.call(this).then(three); };
            """;

    @Test
    void a_replay_whose_events_were_not_all_counted_says_that_it_sends_all_that_match() throws Exception {
        String type = scene.createTopic(Scene.unused("uncounted"));
        scene.append(type, 20, "{}");
        Await.until("published by both relays", () -> scene.messagesIn(type) == 40);
        browser.open(scene.address("events?store=orders&relay=" + Scene.RELAY + "&type=" + type))
                .shows("20 rows");
        browser.evaluate(COUNTED_THREE);
        browser.click("Replay these").shows("3 or more").shows("Counting stopped there");
        assertThat(browser.text()).doesNotContain("Do it again", "Replay 3");
        browser.click("Replay all that match").shows("At most per s");
        browser.until("has ended", "/(done|failed|cancelled): /.test(document.querySelector('.headline').innerText)");
        browser.shows("done: 20");
        assertThat(browser.text()).doesNotContain("of 3").containsPattern("Left\\s+–");
    }

    @Test
    void a_replay_that_no_process_runs_says_how_to_go_on() throws Exception {
        scene.startReplay("left-alone");
        browser.open(scene.address("replays")).shows("waybill replay run left-alone --relay RELAY");
    }

    @Test
    void what_a_replay_cannot_select_offers_none_and_says_why() throws Exception {
        String type = Scene.unused("chosen");
        scene.appendDead(type, 2);
        String found = "events?store=orders&relay=" + Scene.RELAY + "&type=" + type;
        browser.open(scene.address(found)).shows("2 rows").until("offers a replay", REPLAY + "ariaDisabled !== 'true'");
        for (String more : List.of("&state=dead", "&id=" + scene.idOfFirst(type), "#key=7")) {
            browser.open(scene.address(found + more)).shows("a replay cannot select events by");
            browser.until("offers no replay", REPLAY + "ariaDisabled === 'true'");
            browser.click("Replay these");
            assertThat(browser.evaluate("return document.querySelector('dialog') === null"))
                    .isEqualTo(true);
        }
    }

    @Test
    void checks_run_again() {
        browser.open(scene.address("checks"))
                .until(
                        "its first examination is through",
                        "[...document.querySelectorAll('button')].some(e => e.innerText === 'Check again' && !e.disabled)");
        browser.click("Check again");
        browser.shows("checked")
                .until(
                        "is through",
                        "[...document.querySelectorAll('button')].some(e => e.innerText === 'Check again')");
        browser.shows("without a finding");
    }

    @Test
    void a_cell_of_a_csv_is_never_a_formula() {
        Object cells = browser.open(scene.address("audit"))
                .evaluateLater(
                        "import('/ui/pages/audit.js').then(module => done(['=cmd', '+1', '@x', 'a\"b', { a: 1 }].map(module.cell).join(' ')))");
        assertThat(cells).isEqualTo("\"'=cmd\" \"'+1\" \"'@x\" \"a\"\"b\" \"{\"\"a\"\":1}\"");
    }

    private Browser openGroup(String type) {
        browser.open(scene.address("failures?store=orders&relay=" + Scene.RELAY))
                .shows(type);
        return browser.click(type).shows("All groups");
    }
}
