package io.muster.model;

import org.jspecify.annotations.Nullable;

/**
 * What somebody wants to change cannot be changed so. It rolls the transaction back and carries what the edge needs to
 * answer: a kind, the field at fault and a sentence with the numbers.
 */
public final class Refusal extends RuntimeException {

    public enum Kind {
        /** A value is not valid. */
        INVALID,
        /** More would be promised than the team above has. */
        OVER_PROMISED,
        /** Somebody changed it since it was read. */
        STALE,
        /** The state of the thing does not allow it. */
        CONFLICT,
        /** There is no such thing, or the reader may not know of it. */
        NOT_FOUND,
        /** The reader sees it and may not do this. */
        NOT_ALLOWED
    }

    private final Kind kind;
    private final @Nullable String field;
    private final String sentence;

    private Refusal(Kind kind, @Nullable String field, String sentence) {
        super(sentence, null, false, false);
        this.kind = kind;
        this.field = field;
        this.sentence = sentence;
    }

    public static Refusal invalid(String field, String sentence) {
        return new Refusal(Kind.INVALID, field, sentence);
    }

    public static Refusal overPromised(String field, String sentence) {
        return new Refusal(Kind.OVER_PROMISED, field, sentence);
    }

    public static Refusal stale() {
        return new Refusal(Kind.STALE, null, "It was changed since you read it: read it again.");
    }

    public static Refusal conflict(String sentence) {
        return new Refusal(Kind.CONFLICT, null, sentence);
    }

    public static Refusal conflict(String field, String sentence) {
        return new Refusal(Kind.CONFLICT, field, sentence);
    }

    public static Refusal notFound(String what) {
        return new Refusal(Kind.NOT_FOUND, null, "There is no such " + what + ".");
    }

    public static Refusal notAllowed(String sentence) {
        return new Refusal(Kind.NOT_ALLOWED, null, sentence);
    }

    public Kind kind() {
        return kind;
    }

    public @Nullable String field() {
        return field;
    }

    public String sentence() {
        return sentence;
    }
}
