package dev.waybill.server.secrets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A file of credentials: the key of a Google service account, a key in PEM, a password alone, or lines with names. */
public final class CredentialsFile {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    /** As in files of AWS: {@code aws_secret_access_key = …}. */
    private static final Pattern LINE = Pattern.compile("(?m)^\\h*([\\w.-]+)\\h*[=:]\\h*(\\S.*?)\\h*$");

    private static final long LONGEST = 100_000;

    private CredentialsFile() {}

    /** Empty if it cannot be read, which the code that needs the file reports. */
    public static List<String> secretsIn(Path file) {
        try {
            return Files.size(file) > LONGEST ? List.of() : secretsIn(Files.readString(file));
        } catch (IOException e) {
            return List.of();
        }
    }

    private static List<String> secretsIn(String text) {
        List<String> secrets = new ArrayList<>();
        try {
            for (var member : JSON.readTree(text).properties()) {
                JsonNode value = member.getValue();
                if (SecretNames.isSecret(member.getKey()) && value.isString()) {
                    secrets.add(value.asString());
                }
            }
        } catch (JacksonException e) {
            if (text.contains(SecretForms.PEM) || text.strip().lines().count() == 1) {
                secrets.add(text.strip());
            }
            LINE.matcher(text)
                    .results()
                    .filter(line -> SecretNames.isSecret(line.group(1)))
                    .forEach(line -> secrets.add(line.group(2)));
        }
        return secrets;
    }
}
