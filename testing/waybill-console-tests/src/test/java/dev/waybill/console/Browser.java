package dev.waybill.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.logging.Level;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** One Chromium for all tests of the module; it ends with the JVM. Waiting happens in the page, so it costs one call. */
final class Browser {
    static final Dimension WIDE = new Dimension(1366, 900);
    static final Dimension NARROW = new Dimension(400, 900);

    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Duration LONGEST = Duration.ofSeconds(45);
    private static final List<String> FLAGS = List.of(
            "--headless=new",
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars");

    private final ChromeDriver driver;
    private final String axe = resource("axe.min.js");

    private static final class Shared {
        private static final Browser BROWSER = new Browser();
    }

    private Browser() {
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.SEVERE);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(CHROMIUM.toFile());
        options.addArguments(FLAGS);
        options.addArguments("--user-data-dir=" + temporary());
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(new File(DRIVER.toString()))
                .usingAnyFreePort()
                .build();
        driver = new ChromeDriver(service, options);
        Runtime.getRuntime().addShutdownHook(new Thread(driver::quit, "end-of-chromium"));
        driver.manage().timeouts().scriptTimeout(LONGEST.plusSeconds(15));
        driver.manage().window().setSize(WIDE);
    }

    /** Skips the test if there is no browser. */
    static Browser shared() {
        assumeTrue(
                Files.isExecutable(CHROMIUM) && Files.isExecutable(DRIVER),
                "Chromium is not installed: ./install-servers installs it as root");
        return Shared.BROWSER;
    }

    private static String temporary() {
        try {
            return Files.createTempDirectory("waybill-chromium").toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String resource(String name) {
        try (InputStream file = Objects.requireNonNull(Browser.class.getResourceAsStream(name), name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Loads an address anew. */
    Browser open(String address) {
        driver.manage().logs().get(LogType.BROWSER);
        driver.get(address);
        return this;
    }

    Browser size(Dimension size) {
        driver.manage().window().setSize(size);
        return this;
    }

    void forgetCookies() {
        driver.manage().deleteAllCookies();
    }

    String address() {
        return Objects.requireNonNull(driver.getCurrentUrl());
    }

    /** Waits until an expression of JavaScript is true in the page. */
    Browser until(String what, String expression, Object... arguments) {
        Object[] all = java.util.Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = LONGEST.toMillis();
        Object held = driver.executeAsyncScript("""
                const done = arguments[arguments.length - 1];
                const end = Date.now() + arguments[arguments.length - 2];
                const all = arguments;
                (function look() {
                  let holds = false;
                  try { holds = Boolean(((a) => %s)(all)); } catch (e) { /* not there yet */ }
                  if (holds || Date.now() > end) { done(holds); } else { setTimeout(look, 40); }
                })();""".formatted(expression), all);
        assertThat(held)
                .as("%s, at %s:%n%s", what, driver.getCurrentUrl(), text())
                .isEqualTo(true);
        return this;
    }

    /** Waits until the page shows a text. */
    Browser shows(String text) {
        return until("shows " + text, "document.body.innerText.replace(/\\s+/g, ' ').includes(a[0])", text);
    }

    String text() {
        return (String) evaluate("return document.body.innerText");
    }

    Object evaluate(String script, Object... arguments) {
        return Objects.requireNonNullElse(driver.executeScript(script, arguments), "");
    }

    /** Evaluates a script that ends by calling {@code done}. */
    Object evaluateLater(String script, Object... arguments) {
        return Objects.requireNonNullElse(
                driver.executeAsyncScript("const done = arguments[arguments.length - 1];" + script, arguments), "");
    }

    /** Clicks the first button or link with this text, as soon as it can be used. */
    Browser click(String text) {
        String find = "[...document.querySelectorAll('dialog[open] button, dialog[open] a')].concat("
                + "document.querySelector('dialog[open]') ? [] : [...document.querySelectorAll('button, a')])"
                + ".find(e => e.innerText.replace(/\\s+/g, ' ').trim().startsWith(a[0]) && !e.disabled)";
        until("can press " + text, find, text);
        evaluate("const a = arguments; " + find + ".click()", text);
        return this;
    }

    /** Types into the input with this label, in the dialog if one is open. */
    Browser fill(String label, String value) {
        String find = "[...(document.querySelector('dialog[open]') ?? document).querySelectorAll('label')]"
                + ".find(e => e.innerText.trim().startsWith(a[0]))?.querySelector('input, select')";
        until("has an input " + label, find, label);
        WebElement input = (WebElement) evaluate("const a = arguments; return " + find, label);
        if (input.getTagName().equals("select")) {
            evaluate(
                    "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change', { bubbles: true }))",
                    input,
                    value);
        } else {
            input.clear();
            input.sendKeys(value);
        }
        return this;
    }

    /** Keys to whatever has the focus. */
    Browser press(CharSequence... keys) {
        for (CharSequence key : keys) {
            new Actions(driver).sendKeys(key).perform();
        }
        return this;
    }

    /** Presses Tab until the focus is on something whose text or label begins so. */
    Browser tabTo(String text) {
        for (int i = 0; i < 60; i++) {
            press(Keys.TAB);
            if (focused().startsWith(text)) {
                return this;
            }
        }
        throw new AssertionError("Tab does not reach " + text + "; the focus is on " + focused());
    }

    /** What has the focus: its label or its text. */
    String focused() {
        return (String) evaluate("const e = document.activeElement; return (e.getAttribute('aria-label')"
                + " ?? e.closest('label')?.innerText ?? e.innerText ?? '').replace(/\\s+/g, ' ').trim()");
    }

    List<WebElement> all(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    /** Serious and critical findings of axe. */
    List<?> axe() {
        if (Boolean.FALSE.equals(evaluate("return window.axe !== undefined"))) {
            evaluate(axe);
        }
        return (List<?>) evaluateLater("""
                axe.run(document, { resultTypes: ['violations'] }).then(found => done(found.violations
                  .filter(each => each.impact === 'serious' || each.impact === 'critical')
                  .map(each => each.id + ': ' + each.nodes.slice(0, 3).map(node => node.html.slice(0, 200)).join(' | '))));""");
    }

    /** Errors in the browser's console since the page was opened, other than answers of the server with an error. */
    List<String> errors() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(Object::toString)
                .filter(line -> !line.contains("Failed to load resource"))
                .toList();
    }
}
