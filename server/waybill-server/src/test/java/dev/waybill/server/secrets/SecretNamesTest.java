package dev.waybill.server.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which settings and variables are secret by their names. */
class SecretNamesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "DB_PASS",
                "SMTP_PASS",
                "KAFKA_SASL_PASS",
                "DB_PW",
                "dbPass",
                "--pass",
                "PASSWD",
                "basic.auth.user.info",
                "AUTHORIZATION",
                "http.header.Authorization",
                "bearer",
                "COOKIE",
                "ssl.keystore.pwd",
                "AWS_SECRET_ACCESS_KEY",
                "DBPASS",
                "DBPWD",
                "DBPASS_OLD",
                "DBPW",
                "MASTERKEY",
                "masterKey",
                "SIGNING_KEY",
                "DB_PWD"
            })
    void names_that_mark_a_secret(String name) {
        assertThat(SecretNames.isSecret(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PWD",
                "COMPASS",
                "BYPASS_CHECKS",
                "passthrough",
                "KEYBOARD",
                "PUBLIC_URL",
                "PATH",
                "OLDPWD",
                "MONKEY_HOST",
                "TURKEY",
                "SSH_PUBLIC_KEY",
                "key.serializer",
                "KEYSTORE"
            })
    void names_that_only_look_like_a_secret(String name) {
        assertThat(SecretNames.isSecret(name)).isFalse();
    }

    @Test
    void the_password_of_a_login_in_a_header_is_hidden() {
        String basic =
                "Basic " + Base64.getEncoder().encodeToString("app:canary-basic".getBytes(StandardCharsets.UTF_8));
        Secrets secrets = new Secrets();
        secrets.addNamed(Map.of(
                "basic.auth.user.info", "app:canary-info",
                "http.header.Authorization", basic,
                "REGISTRY_AUTHORIZATION", "Bearer canary-bearer"));
        assertThat(secrets.hide("canary-info canary-bearer canary-basic " + basic.substring(6)))
                .isEqualTo("[hidden] [hidden] [hidden] [hidden]");
    }

    @Test
    void secrets_of_the_environment_are_found_by_name(@TempDir Path directory) throws Exception {
        Path key = Files.writeString(
                directory.resolve("key.json"),
                "{\"private_key\": \"canary-key\", \"client_email\": \"me@host\", \"token_uri\": \"http://token\"}");
        Secrets secrets = new Secrets();
        secrets.addNamed(Map.of(
                "AWS_SESSION_TOKEN", "canary-token",
                "DB_PWD", "canary-pwd",
                "PWD", "/home/somebody",
                "GOOGLE_APPLICATION_CREDENTIALS", key.toString()));
        assertThat(secrets.hide(
                        "canary-token canary-pwd canary-key /home/somebody me@host http://token " + key.getFileName()))
                .isEqualTo("[hidden] [hidden] [hidden] /home/somebody me@host http://token key.json");
    }

    @Test
    void a_file_is_read_for_secrets_only_if_its_variable_names_one(@TempDir Path directory) throws Exception {
        Path script =
                Files.writeString(directory.resolve("askpass"), "#!/bin/sh\nexec /usr/bin/ask\necho waiting for it\n");
        Path password = Files.writeString(directory.resolve("password"), "canary-file\n");
        Path aws = Files.writeString(
                directory.resolve("credentials"),
                "[default]\naws_access_key_id = canary-id\naws_secret_access_key = canary-key\nregion = eu-south-1\n");
        Secrets secrets = new Secrets();
        secrets.addNamed(Map.of(
                "GIT_ASKPASS", script.toString(),
                "SSH_ASKPASS", script.toString(),
                "DB_PASSWORD_FILE", password.toString(),
                "AWS_SHARED_CREDENTIALS_FILE", aws.toString()));
        String program = "exec /usr/bin/ask #!/bin/sh echo waiting for it [default] eu-south-1 " + script;
        assertThat(secrets.hide(program)).isEqualTo(program);
        assertThat(secrets.hide("canary-file canary-key")).isEqualTo("[hidden] [hidden]");
    }

    @Test
    void a_flag_or_a_small_number_is_not_a_secret() {
        Secrets secrets = new Secrets();
        secrets.addNamed(Map.of(
                "TOKEN_ENABLED", "true",
                "VAULT_TOKEN_CHECK", "False",
                "TOKEN_SERVICE_PORT", "8080",
                "TOKEN_PIN", "12345678"));
        assertThat(secrets.hide("true False 8080 12345678")).isEqualTo("true False 8080 [hidden]");
        assertThat(SecretsTest.knowing("8080").hide("configured: 8080")).isEqualTo("configured: [hidden]");
    }

    @Test
    void the_name_waybill_is_not_hidden() {
        assertThat(SecretsTest.knowing("waybill").hide("waybill: the schema waybill"))
                .isEqualTo("waybill: the schema waybill");
    }
}
