package io.muster.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

/** Random secrets and their hashes. A secret of 256 random bits needs no slow hash: nobody can guess it. */
final class Secrets {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String READABLE = "abcdefghjkmnpqrstuvwxyz23456789";

    private Secrets() {}

    static byte[] bytes(int length) {
        var bytes = new byte[length];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    static String token() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes(32));
    }

    /** For a person to type: 20 letters and digits that look unlike each other, some 99 bits. */
    static String password() {
        var text = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            if (i > 0 && i % 5 == 0) text.append('-');
            text.append(READABLE.charAt(RANDOM.nextInt(READABLE.length())));
        }
        return text.toString();
    }

    static byte[] hash(String secret) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
