package io.muster.job;

import java.util.Arrays;
import java.util.Objects;

/** A job document as it was sent. */
public final class DocumentText {
    /** The largest document, in bytes. */
    public static final int MOST_BYTES = 256 << 10;

    /** How it is written. */
    public enum Format {
        JSON,
        YAML
    }

    private final Format format;
    private final byte[] bytes;

    public DocumentText(Format format, byte[] bytes) {
        this.format = format;
        this.bytes = bytes.clone();
    }

    public Format format() {
        return format;
    }

    public byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DocumentText text && format == text.format && Arrays.equals(bytes, text.bytes);
    }

    @Override
    public int hashCode() {
        return Objects.hash(format, Arrays.hashCode(bytes));
    }
}
