package dev.waybill.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openqa.selenium.Keys;

/** Once through everything without a mouse. */
@Timeout(120)
class KeyboardTest {
    private final Browser browser = Browser.shared();
    private final Scene scene = Scene.shared();

    @Test
    void a_person_finds_and_requeues_a_dead_event_with_the_keyboard_only() throws Exception {
        String type = Scene.unused("aaa-by-keyboard");
        scene.appendDead(type, 2);
        browser.size(Browser.WIDE).open(scene.address("")).shows(Scene.RELAY);

        browser.press("?").shows("next and previous row").press(Keys.ESCAPE);
        browser.until("the help is closed", "!document.querySelector('dialog')");
        browser.press("p").shows("frozen").press("p").shows("live");

        browser.press("/", type, Keys.ENTER).shows("2 rows, all there are");
        browser.press(Keys.ESCAPE, "j").until("a row has the focus", "document.activeElement.matches('tr[data-row]')");
        browser.press(Keys.ENTER).shows("appended").shows("Requeue…");

        browser.tabTo("Requeue…").press(Keys.ENTER).shows("Reason");
        assertThat(browser.focused()).isEqualTo("Cancel");
        browser.shows("Requeue 1").tabTo("Requeue 1").press(Keys.ENTER).shows("of 1");
        assertThat(browser.address()).contains("/ui/operations/");

        browser.press("g", "f").shows("all relays").press("g", "c").shows("Check again");
        browser.press("g", "a").shows("CSV").press("g", "d").shows("kept by the broker");
        browser.press("g", "r").shows("A replay publishes").press("g", "p").shows("Bulk changes");
        browser.press("g", "e").shows("Aggregate id").press("g", "o").shows("15 min");
    }

    @Test
    void rows_are_selected_with_x() throws Exception {
        String type = Scene.unused("selected");
        scene.appendDead(type, 3);
        browser.size(Browser.WIDE)
                .open(scene.address("failures?store=orders&relay=" + Scene.RELAY))
                .until("has rows", "document.querySelectorAll('td.select').length >= 3");
        browser.press("k", "x", "k", "x").shows("2 selected");
        browser.press("x").shows("1 selected");
    }
}
