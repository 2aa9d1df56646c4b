package io.muster.web;

import io.muster.model.Refusal;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;

/**
 * Refuses a body that lacks what is not nullable, by the name of the field; and the one character that no database of
 * ours can keep.
 */
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
            if (value != null || !component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
                check(value, field);
            }
        }
    }

    private static void check(@Nullable Object value, String field) {
        switch (value) {
            case null -> throw Refusal.invalid(field, "is missing");
            case Record inner -> check(inner, field + ".");
            case List<?> list -> {
                for (int i = 0; i < list.size(); i++) check(list.get(i), field + "[" + i + "]");
            }
            case Map<?, ?> map ->
                map.forEach((key, each) -> {
                    checkText(String.valueOf(key), field);
                    check(each, field + "." + key);
                });
            case String text -> checkText(text, field);
            default -> {}
        }
    }

    private static void checkText(String text, String field) {
        if (text.indexOf('\0') >= 0) throw Refusal.invalid(field, "must not have the character U+0000");
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
