package dev.waybill.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.testkit.Await;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Types, errors, aggregate ids, payloads, names of relays, reasons and letters that try to be more than text. */
@Timeout(180)
class HostileContentTest {
    /** Without control characters, which names of events, relays and topics may not have. */
    private static final String EVIL = "<script>window.pwned=1</script><img src=x onerror=window.pwned=1>"
            + "<svg onload=window.pwned=1> \u202egnp\u3164\u2800 javascript:window.pwned=1 {{7*7}} __proto__";

    private static final String SHOWN = "<script>window.pwned=1</script>";
    private static final Browser browser = Browser.shared();
    private static final Scene scene = Scene.shared();
    private static final String LETTERS = Scene.unused("hostile") + ".dlt";

    @BeforeAll
    static void fill() throws Exception {
        browser.size(Browser.WIDE);
        scene.appendDead(EVIL, 1);
        scene.addStoppedRelay(EVIL);
        scene.execute(
                "insert into waybill.audit (who, why, action, relay, details) values (?, ?, ?, ?, ?)",
                EVIL,
                EVIL + '\u0007',
                EVIL,
                EVIL,
                EVIL + '\u0007');
        scene.createTopic(LETTERS);
        scene.sendLetter(LETTERS, EVIL, EVIL + "\0\u0007", EVIL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "failures",
                "failures?store=orders&relay=orders-to-kafka",
                "events?store=orders",
                "audit",
                "dead-letters/kafka/LETTERS",
                "relays/orders/EVIL",
                "events?store=orders&type=EVIL#aggregateId=EVIL&key=EVIL",
                "events/EVIL/EVIL",
                "EVIL/EVIL",
            })
    void it_is_shown_as_text_on(String page) {
        String encoded = java.net.URLEncoder.encode(EVIL, java.nio.charset.StandardCharsets.UTF_8)
                .replace("+", "%20");
        browser.open(scene.address(page.replace("EVIL", encoded).replace("LETTERS", LETTERS)));
        if (page.startsWith("EVIL")) {
            browser.shows("No such page");
        } else if (!page.contains("#")) {
            browser.shows(SHOWN);
        }
        browser.until("is drawn", "document.querySelector('h1')");
        assertInert();
    }

    @Test
    void deep_and_long_payloads_are_shown_as_text() throws Exception {
        show("[".repeat(10_000) + "\"</pre>" + SHOWN + "\\u0000\\u202e\"" + "]".repeat(10_000));
        browser.shows("[");
        assertInert();
        String long_ = "{\"__proto__\": {\"polluted\": true}, \"text\": \"" + SHOWN + "x".repeat(1_048_576) + "\"}";
        show(long_);
        browser.shows("only the beginning is shown").shows(SHOWN);
        assertInert();
        assertThat(browser.evaluate("return {}.polluted === undefined")).isEqualTo(true);
    }

    private static void show(String payload) throws Exception {
        String type = Scene.unused("payload");
        scene.append(type, 1, payload);
        Await.until("is appended", () -> scene.number("select count(*) from waybill.event where type = ?", type) == 1);
        browser.open(scene.address("events/orders/" + scene.idOf(type))).click("Show the payload");
        browser.fill("Reason", "a test").click("Show").until("is shown", "document.querySelector('pre.payload')");
    }

    private static void assertInert() {
        assertThat(browser.evaluate("return window.pwned === undefined")).isEqualTo(true);
        assertThat(browser.all("#app script, #app img, #app iframe, #app object, #app svg:not(.spark)"))
                .isEmpty();
        assertThat(browser.all("#app a[href]:not([href^='/ui/']):not([href='#main'])"))
                .isEmpty();
        assertThat(browser.text()).doesNotContain("\u202e", "\u0007", "\u3164", "\u2800");
        assertThat(browser.errors()).isEmpty();
    }
}
