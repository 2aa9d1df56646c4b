package io.muster.web;

import io.muster.model.Refusal;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;

/** Refuses a body that lacks what is not nullable, by the name of the field. */
@RestControllerAdvice
class WholeBodies extends RequestBodyAdviceAdapter {

    @Override
    public boolean supports(MethodParameter parameter, Type type, Class<? extends HttpMessageConverter<?>> converter) {
        return parameter.getParameterType().isRecord();
    }

    @Override
    public Object afterBodyRead(
            Object body,
            HttpInputMessage message,
            MethodParameter parameter,
            Type type,
            Class<? extends HttpMessageConverter<?>> converter) {
        if (body instanceof Record whole) check(whole, "");
        return body;
    }

    /** The depth of the types bounds it: bodies are trees of records and lists. */
    private static void check(Record body, String at) {
        for (RecordComponent component : body.getClass().getRecordComponents()) {
            String field = at + component.getName();
            Object value = value(body, component);
            if (value == null) {
                if (!component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
                    throw Refusal.invalid(field, "is missing");
                }
            } else if (value instanceof Record inner) {
                check(inner, field + ".");
            } else if (value instanceof List<?> list) {
                checkAll(list, field);
            }
        }
    }

    private static void checkAll(List<?> list, String field) {
        for (int i = 0; i < list.size(); i++) {
            if (list.get(i) instanceof Record inner) check(inner, field + "[" + i + "].");
        }
    }

    private static @Nullable Object value(Record body, RecordComponent component) {
        try {
            var accessor = component.getAccessor();
            accessor.setAccessible(true);
            return accessor.invoke(body);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(component.toString(), e);
        }
    }
}
