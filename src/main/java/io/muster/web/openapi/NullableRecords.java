package io.muster.web.openapi;

import com.fasterxml.jackson.databind.JavaType;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.util.Json31;
import io.swagger.v3.oas.models.media.Schema;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A component of a record is required unless it is {@code @Nullable}; then its type says null too. */
final class NullableRecords implements ModelConverter {

    @Override
    public boolean isOpenapi31() {
        return true;
    }

    @Override
    @SuppressWarnings("rawtypes") // As the interface has it.
    public @Nullable Schema resolve(AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> chain) {
        Schema<?> resolved = chain.hasNext() ? chain.next().resolve(type, context, chain) : null;
        JavaType java = Json31.mapper().constructType(type.getType());
        if (resolved != null && java != null && java.getRawClass().isRecord()) {
            Schema<?> model = defined(resolved, context);
            if (model != null && model.getProperties() != null) {
                Arrays.stream(java.getRawClass().getRecordComponents()).forEach(c -> mark(c, model));
            }
        }
        return resolved;
    }

    private static @Nullable Schema<?> defined(Schema<?> resolved, ModelConverterContext context) {
        String ref = resolved.get$ref();
        return ref == null ? resolved : context.getDefinedModels().get(ref.substring(ref.lastIndexOf('/') + 1));
    }

    private static void mark(RecordComponent component, Schema<?> model) {
        Schema<?> property = model.getProperties().get(component.getName());
        if (property == null) {
            return;
        }
        if (!component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
            Set<String> required = new LinkedHashSet<>(model.getRequired() == null ? List.of() : model.getRequired());
            required.add(component.getName());
            model.setRequired(List.copyOf(required));
        } else if (property.get$ref() != null) {
            model.getProperties().put(component.getName(), orNull(property.get$ref()));
        } else if (property.getTypes() != null) {
            property.addType("null");
        }
    }

    private static Schema<?> orNull(String ref) {
        Schema<?> nothing = new Schema<>();
        nothing.addType("null");
        Schema<?> either = new Schema<>();
        either.addOneOfItem(new Schema<>().$ref(ref));
        either.addOneOfItem(nothing);
        return either;
    }
}
