package io.muster.job;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.muster.model.DomainPath;
import io.muster.model.Explanation;
import io.muster.model.GpuTypeId;
import io.muster.model.JobId;
import io.muster.model.NodeId;
import io.muster.model.PoolId;
import io.muster.model.Reason;
import io.muster.model.Remedy;
import io.muster.model.ReservationId;
import io.muster.model.TeamId;
import io.muster.model.UserId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Function;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/** An {@link Explanation} as {@code explanation.body} keeps it; equal explanations give equal text. */
public final class ExplanationCodec {
    private static final JsonMapper JSON = JsonMapper.builder()
            .addModule(ids())
            .addMixIn(Reason.class, ByKind.class)
            .addMixIn(Remedy.class, ByKind.class)
            .registerSubtypes(kinds(Reason.class))
            .registerSubtypes(kinds(Remedy.class))
            .build();

    private ExplanationCodec() {}

    public static String toJson(Explanation explanation) {
        return JSON.writeValueAsString(explanation);
    }

    public static Explanation fromJson(String json) {
        return JSON.readValue(json, Explanation.class);
    }

    /** One reason as it stands in the text of an explanation. */
    public static Reason reasonFromJson(String json) {
        return JSON.readValue(json, Reason.class);
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    private interface ByKind {}

    private static NamedType[] kinds(Class<?> sealed) {
        return Arrays.stream(sealed.getPermittedSubclasses())
                .map(each -> new NamedType(each, each.getSimpleName().toLowerCase(Locale.ROOT)))
                .toArray(NamedType[]::new);
    }

    private static SimpleModule ids() {
        SimpleModule module = new SimpleModule();
        text(module, TeamId.class, id -> id.value().toString(), text -> new TeamId(UUID.fromString(text)));
        text(module, UserId.class, id -> id.value().toString(), text -> new UserId(UUID.fromString(text)));
        text(
                module,
                ReservationId.class,
                id -> id.value().toString(),
                text -> new ReservationId(UUID.fromString(text)));
        text(module, PoolId.class, PoolId::value, PoolId::new);
        text(module, NodeId.class, NodeId::value, NodeId::new);
        text(module, GpuTypeId.class, GpuTypeId::value, GpuTypeId::new);
        text(module, JobId.class, id -> Long.toString(id.value()), text -> new JobId(Long.parseLong(text)));
        text(
                module,
                DomainPath.class,
                path -> String.join("/", path.names()),
                text -> text.isEmpty() ? DomainPath.POOL : new DomainPath(List.of(text.split("/", -1))));
        return module;
    }

    private static <T> void text(
            SimpleModule module, Class<T> type, Function<T, String> write, Function<String, T> read) {
        module.addSerializer(new StdSerializer<T>(type) {
            @Override
            public void serialize(T value, JsonGenerator out, SerializationContext context) {
                out.writeString(write.apply(value));
            }
        });
        module.addDeserializer(type, new StdDeserializer<T>(type) {
            @Override
            public T deserialize(JsonParser in, DeserializationContext context) {
                return read.apply(in.getString());
            }
        });
    }
}
