package io.muster.web.openapi;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.type.TypeFactory;
import io.swagger.v3.core.jackson.TypeNameResolver;
import java.util.Set;

/** A nested type is named after the one around it too, so that two of one simple name stay two. */
final class NestedNames extends TypeNameResolver {

    @Override
    protected String nameForClass(Class<?> type, Set<Options> options) {
        String own = super.nameForClass(type, options);
        Class<?> around = type.getEnclosingClass();
        boolean given = !own.equals(type.getSimpleName());
        return around == null || given ? own : nameForClass(around, options) + own;
    }

    @Override
    public String nameForType(JavaType type, Options... options) {
        return super.nameForType(type == null ? TypeFactory.unknownType() : type, options);
    }
}
