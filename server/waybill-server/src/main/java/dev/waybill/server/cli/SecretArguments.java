package dev.waybill.server.cli;

import dev.waybill.server.secrets.AddressSecrets;
import dev.waybill.server.secrets.SecretNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Finds secrets on the command line. They are refused, and messages must not repeat them. */
final class SecretArguments {
    /** Options whose names look like secrets, but are none. */
    private static final Set<String> HARMLESS = Set.of("--key", "--password-file");

    private SecretArguments() {}

    static List<String> in(String... arguments) {
        List<String> secrets = new ArrayList<>();
        boolean expected = false;
        for (String argument : arguments) {
            secrets.addAll(AddressSecrets.in(argument));
            if (expected) {
                secrets.add(argument);
            }
            int equals = argument.indexOf('=');
            String name = equals < 0 ? argument : argument.substring(0, equals);
            boolean named = name.startsWith("-") && SecretNames.isSecret(name) && !HARMLESS.contains(name);
            expected = named && equals < 0;
            if (named && equals >= 0) {
                secrets.add(argument.substring(equals + 1));
            }
        }
        return secrets;
    }
}
