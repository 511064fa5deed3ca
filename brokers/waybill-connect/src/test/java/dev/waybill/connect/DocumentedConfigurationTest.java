package dev.waybill.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the page of the connector tells users to do. */
class DocumentedConfigurationTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "connect.md");
    private static final Pattern BLOCK = Pattern.compile("```json\n(\\{.*?})\n```", Pattern.DOTALL);
    private static final Pattern ENTRY = Pattern.compile("\"([^\"]+)\": \"([^\"]*)\"");

    private static List<Map<String, String>> configurations() throws IOException {
        List<Map<String, String>> configurations = new ArrayList<>();
        Matcher block = BLOCK.matcher(Files.readString(PAGE));
        while (block.find()) {
            Map<String, String> configuration = new HashMap<>();
            Matcher entry = ENTRY.matcher(block.group(1));
            while (entry.find()) {
                configuration.put(entry.group(1), entry.group(2));
            }
            configurations.add(configuration);
        }
        return configurations;
    }

    @Test
    void the_configurations_of_the_page_have_no_mistakes() throws IOException {
        assertThat(configurations())
                .hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(configuration -> assertThat(new WaybillSourceConnector()
                                .validate(configuration)
                                .configValues())
                        .flatExtracting(value -> value.errorMessages())
                        .isEmpty());
    }

    @Test
    void every_key_is_on_the_page() throws IOException {
        String page = Files.readString(PAGE);
        assertThat(ConnectorKeys.definition().names())
                .allSatisfy(key -> assertThat(page).contains("`" + key + "`"));
    }
}
