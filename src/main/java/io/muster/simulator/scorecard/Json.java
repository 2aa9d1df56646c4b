package io.muster.simulator.scorecard;

import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** A scorecard as JSON; fields in the order of their names. */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    private Json() {}

    public static String of(Scorecard scorecard) {
        return MAPPER.writeValueAsString(scorecard).replace("\r\n", "\n") + "\n";
    }
}
