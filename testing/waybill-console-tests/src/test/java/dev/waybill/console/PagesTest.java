package dev.waybill.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every page: it shows what it should, axe finds nothing serious in light and dark, and it fits on a narrow screen. */
@Timeout(180)
class PagesTest {
    private static final Browser browser = Browser.shared();
    private static final Scene scene = Scene.shared();
    private static final String TYPE = Scene.unused("pages");
    private static final String LETTERS = Scene.unused("pages") + ".dlt";

    @BeforeAll
    static void fill() throws Exception {
        scene.createTopic(LETTERS);
        scene.sendLetter(LETTERS, "pages", "no such customer", "billing");
        scene.appendDead(TYPE, 3);
        browser.forgetCookies();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
                    overview       |                                      | RELAYS
                    relay          | relays/orders/orders-to-kafka        | CHARTS
                    failures       | failures                             | Discard
                    rows           | failures?store=orders&relay=RELAY    | rows
                    events         | events?store=orders                  | all there are
                    event          | events/orders/EVENT                  | appended
                    dead letters   | dead-letters                         | billing
                    letters        | dead-letters/kafka/LETTERS           | no such customer
                    replays        | replays                              | A replay publishes past events again
                    operations     | operations                           | Bulk changes
                    checks         | checks                               | Check again
                    audit          | audit                                | CSV
                    nothing there  | no-such-page                         | No such page
                    """)
    void a_page_is_readable_for_everyone(String name, String path, String text) throws Exception {
        if (name.equals("audit")) {
            scene.execute(
                    "insert into waybill.audit (who, why, action, relay, details) values ('ada', 'a test', 'pause',"
                            + " 'orders-to-kafka', '')");
        }
        String there = path == null ? "" : path;
        browser.size(Browser.WIDE)
                .open(scene.address(there.replace("RELAY", Scene.RELAY)
                        .replace("EVENT", scene.idOf(TYPE))
                        .replace("LETTERS", LETTERS)))
                .shows(text);
        assertThat(browser.evaluate("return document.querySelector('main h1, main h2, main table, main form').tagName"))
                .as("begins with its heading")
                .isEqualTo("H1");
        assertThat(browser.axe()).as("axe, light").isEmpty();
        browser.press("t");
        browser.until("is dark", "document.documentElement.dataset.scheme === 'dark'");
        assertThat(browser.axe()).as("axe, dark").isEmpty();
        browser.press("t");
        browser.size(Browser.NARROW);
        browser.until(
                "fits on a narrow screen",
                "document.documentElement.scrollWidth <= document.documentElement.clientWidth");
        browser.until(
                "its place is in sight, if it has one",
                "(document.querySelector('nav [aria-current]')?.getBoundingClientRect().right ?? 0) < innerWidth + 1");
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    void the_overview_is_live_and_says_that_nothing_is_stuck() {
        browser.size(Browser.WIDE)
                .open(scene.address(""))
                .shows("No relay is stuck.")
                .shows("live");
        browser.until(
                "the sample is renewed",
                "(window.first ??= document.querySelector('.spark')?.getAttribute('aria-label')) && document.querySelectorAll('tr[data-row]').length >= 2");
        assertThat(browser.text()).contains(Scene.RELAY, Scene.OTHER_RELAY);
    }

    @Test
    void a_relay_says_in_a_sentence_what_waits_and_what_is_dead() {
        browser.open(scene.address(""));
        Object sentences = browser.evaluateLater("""
                import('/ui/judge.js').then(({ sentence }) => done([
                    { state: 'running', backlog: '1', backlogExact: true, dead: '1' },
                    { state: 'running', backlog: '41200', backlogExact: false, dead: '10000', deadMore: true },
                    { state: 'paused', tone: 'paused', backlog: '0', backlogExact: true, dead: '0' }].map(sentence)));""");
        assertThat(sentences)
                .isEqualTo(List.of(
                        "Running. 1 event waits. 1 event is dead and waits for a decision.",
                        "Running. ~41,200 events wait. > 10,000 events are dead and wait for a decision.",
                        "Paused. 0 events wait, to go out in order after it is resumed."));
    }

    @Test
    void a_dead_event_says_whether_it_was_attempted() throws Exception {
        browser.size(Browser.WIDE)
                .open(scene.address("events/orders/" + scene.idOf(TYPE)))
                .shows("attempt");
        assertThat(browser.text()).containsPattern("dead (without an attempt|after \\d+ attempts?), failed .* ago");
    }

    @Test
    void a_finding_leads_to_the_page_where_something_can_be_done() {
        browser.size(Browser.WIDE)
                .open(scene.address("checks"))
                .click("Check again")
                .shows("for an operator");
        browser.until(
                "has a link to the failures of the relay",
                "document.querySelector('main .card a[href*=\"failures?store=orders&relay=\"]')");
        browser.evaluate("document.querySelector('main .card a[href*=\"failures?store=orders&relay=\"]').click()");
        browser.shows("Discard");
        assertThat(browser.address()).contains("/ui/failures?store=orders&relay=");
    }

    @Test
    void an_event_tells_how_many_wait_behind_it_and_lists_them() throws Exception {
        String type = Scene.unused("behind");
        scene.append(type, 4, "{}");
        scene.parkBehindTheFirst(type);
        browser.size(Browser.WIDE)
                .open(scene.address("events/orders/" + scene.idOfFirst(type)))
                .shows("3 events of its key");
        assertThat(browser.axe()).isEmpty();
        browser.click("3 events of its key").shows("Waiting behind").shows("3 rows, all there are");
        assertThat(browser.axe()).isEmpty();
        assertThat(browser.errors()).isEmpty();
        scene.execute("delete from waybill.parked where relay = 'old-behind'");
    }

    @Test
    void a_dialog_has_a_name_and_its_focus_is_on_cancel_and_returns() {
        browser.size(Browser.WIDE)
                .open(scene.address("relays/orders/" + Scene.RELAY))
                .shows("Pause…");
        browser.evaluate("[...document.querySelectorAll('button')].find(e => e.innerText === 'Pause…').focus()");
        browser.press(org.openqa.selenium.Keys.ENTER).shows("Pause the relay");
        assertThat(browser.focused()).isEqualTo("Cancel");
        assertThat(browser.axe()).isEmpty();
        browser.press(org.openqa.selenium.Keys.ESCAPE);
        browser.until("the dialog is closed", "!document.querySelector('dialog')");
        assertThat(browser.focused()).isEqualTo("Pause…");
    }

    @Test
    void no_key_or_aggregate_id_is_in_an_address_that_is_sent() throws Exception {
        browser.size(Browser.WIDE).open(scene.address("events?store=orders")).fill("Aggregate id", TYPE + "/2");
        browser.click("Search").shows("1 row, all there are");
        assertThat(browser.address()).contains("#aggregateId=").doesNotContain("?aggregateId", "&aggregateId");
        Object requests = browser.evaluate("return performance.getEntriesByType('resource').map(e => e.name)");
        assertThat((List<?>) requests)
                .isNotEmpty()
                .noneMatch(name -> name.toString().contains(TYPE + "%2F2"));
        browser.open(browser.address()).shows("1 row, all there are");
    }
}
