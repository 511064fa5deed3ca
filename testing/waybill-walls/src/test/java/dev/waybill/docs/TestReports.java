package dev.waybill.docs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** What became of each test in the last run, by simple class name and method, from the XML reports of all modules. */
final class TestReports {
    private final Map<String, Map<String, List<Result>>> results = new HashMap<>();

    /** The result of one run of a test; a test with parameters has several. */
    enum Result {
        PASSED,
        FAILED,
        /** The test does not apply, or is switched off. */
        SKIPPED,
        /** Its server can be installed, and is not. */
        NOT_INSTALLED,
        /** Its server has to be named in the environment. */
        NO_SERVER
    }

    /** @param modules directories of modules */
    static TestReports of(List<Path> modules) {
        TestReports reports = new TestReports();
        for (Path module : modules) {
            Path directory = module.resolve("target/surefire-reports");
            if (Files.isDirectory(directory)) {
                try (Stream<Path> files = Files.list(directory)) {
                    files.filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
                            .forEach(reports::read);
                } catch (IOException e) {
                    throw new UncheckedIOException("Cannot list " + directory, e);
                }
            }
        }
        return reports;
    }

    boolean isEmpty() {
        return results.isEmpty();
    }

    /** The results of a test in a class. */
    List<Result> of(String className, String method) {
        return results.getOrDefault(className, Map.of()).getOrDefault(method, List.of());
    }

    private void read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            XMLInputFactory factory = XMLInputFactory.newFactory();
            factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
            XMLStreamReader xml = factory.createXMLStreamReader(in);
            while (xml.hasNext()) {
                if (xml.next() == XMLStreamConstants.START_ELEMENT
                        && xml.getLocalName().equals("testcase")) {
                    readTest(xml);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + file, e);
        } catch (XMLStreamException e) {
            throw new IllegalStateException(file + " is not a complete report: run ./check again.", e);
        }
    }

    private void readTest(XMLStreamReader xml) throws XMLStreamException {
        String className = simpleName(xml.getAttributeValue(null, "classname"));
        String method = xml.getAttributeValue(null, "name").replaceFirst("[(\\[{].*", "");
        Result result = Result.PASSED;
        while (!(xml.next() == XMLStreamConstants.END_ELEMENT
                && xml.getLocalName().equals("testcase"))) {
            if (xml.isStartElement()) {
                result = switch (xml.getLocalName()) {
                    case "failure", "error" -> Result.FAILED;
                    case "skipped" -> skipped(xml.getAttributeValue(null, "message"));
                    default -> result;
                };
            }
        }
        results.computeIfAbsent(className, unused -> new HashMap<>())
                .computeIfAbsent(method, unused -> new ArrayList<>())
                .add(result);
    }

    private static Result skipped(String message) {
        if (message == null) {
            return Result.SKIPPED;
        }
        if (message.startsWith("Environment variable")) {
            return Result.NO_SERVER;
        }
        return message.contains("not installed") ? Result.NOT_INSTALLED : Result.SKIPPED;
    }

    /** Of {@code dev.waybill.SomeTest$Nested[1]}: {@code SomeTest}. */
    private static String simpleName(String className) {
        return className.substring(className.lastIndexOf('.') + 1).replaceFirst("[$\\[].*", "");
    }
}
