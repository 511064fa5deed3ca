package dev.waybill.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;

/** What is printed. The server of these tests has no roles, so it is not shown that they are enough. */
class MongoRolesTest {

    @Test
    void each_role_is_granted_collections_of_the_outbox_and_no_others() {
        TreeMap<String, List<String>> granted = new TreeMap<>();
        for (BsonDocument command : MongoRoles.commands("shop", "outbox")) {
            granted.put(
                    command.getString("createRole").getValue(),
                    command.getArray("privileges").stream()
                            .map(MongoRolesTest::inWords)
                            .toList());
        }
        assertThat(granted.get("waybill_outbox_producer")).containsExactly("shop.outbox [insert]");
        assertThat(granted.get("waybill_outbox_relay"))
                .containsExactly(
                        "shop.outbox [find, insert, update, remove]",
                        "shop.waybill_relay [find, insert, update, remove]",
                        "shop.waybill_audit [find, insert, update]");
        assertThat(granted.get("waybill_outbox_viewer"))
                .containsExactly(
                        "shop.outbox [find, listIndexes]", "shop.waybill_relay [find]", "shop.waybill_audit [find]");
        assertThat(granted.get("waybill_outbox_operator"))
                .containsExactly(
                        "shop.outbox [find, update, remove, listIndexes]",
                        "shop.waybill_relay [find, insert, update, remove]",
                        "shop.waybill_audit [find, insert, update]");
    }

    @Test
    void names_are_values_and_never_code() {
        String script = MongoRoles.script("shop", "o\"});db.dropDatabase();({\"");
        assertThat(script.lines()).hasSize(4).allSatisfy(line -> {
            assertThat(line).startsWith("db.runCommand({").endsWith("});");
            String document = line.substring("db.runCommand(".length(), line.length() - 2);
            assertThat(BsonDocument.parse(document).getString("createRole").getValue())
                    .contains("dropDatabase");
        });
    }

    private static String inWords(BsonValue privilege) {
        BsonDocument resource = privilege.asDocument().getDocument("resource");
        List<String> actions = privilege.asDocument().getArray("actions").stream()
                .map(action -> action.asString().getValue())
                .toList();
        return resource.getString("db").getValue() + "."
                + resource.getString("collection").getValue() + " " + actions;
    }
}
