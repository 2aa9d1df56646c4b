package io.muster.policy;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A revision as it is stored; values that a revision of long ago lacks are those shipped now. */
final class PolicyBody {
    private final JsonMapper json = JsonMapper.builder().build();

    String write(PolicyValues values) {
        return json.writeValueAsString(values);
    }

    PolicyValues read(String body) {
        ObjectNode whole = json.valueToTree(PolicyValues.SHIPPED);
        JsonNode stored = json.readTree(body);
        if (!stored.isObject()) {
            throw new IllegalArgumentException("a policy's values have names");
        }
        stored.propertyNames().stream().filter(whole::has).forEach(name -> whole.set(name, stored.get(name)));
        return json.treeToValue(whole, PolicyValues.class);
    }
}
