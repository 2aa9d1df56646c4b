package io.muster.security;

import io.muster.job.AttemptTokenSource;
import io.muster.model.AttemptId;
import io.muster.model.JobId;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Tokens of attempts: {@code msa_<key>.<installation>.<job>.<attempt>.<mac>}. They are made from what they say and a key,
 * so that none has to be stored; the newest key signs, older ones still verify until they are retired.
 */
@Component
public class AttemptTokens implements AttemptTokenSource {
    static final String PREFIX = "msa_";
    private static final Pattern SHAPE = Pattern.compile(
            "msa_([a-z0-9]{1,32})\\.([a-z0-9-]{1,64})\\.([0-9]{1,18})\\.([0-9]{1,9})\\.([A-Za-z0-9_-]{43})");
    private static final String ALGORITHM = "HmacSHA256";

    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;
    private volatile @Nullable String installation;

    AttemptTokens(JdbcClient jdbc, PlatformTransactionManager transactions) {
        this.jdbc = jdbc;
        this.transaction = new TransactionTemplate(transactions);
    }

    /** The same attempt may get another token at any time; all of them work. */
    @Override
    public String tokenFor(AttemptId attempt) {
        return token(attempt, signingKey());
    }

    @Override
    public Map<AttemptId, String> tokensFor(Collection<AttemptId> attempts) {
        Key key = signingKey();
        var tokens = new HashMap<AttemptId, String>();
        attempts.forEach(attempt -> tokens.put(attempt, token(attempt, key)));
        return tokens;
    }

    private String token(AttemptId attempt, Key key) {
        String claims = key.id() + "." + installation() + "." + attempt.job() + "." + attempt.number();
        return PREFIX + claims + "." + mac(key.secret(), claims);
    }

    private record Key(String id, byte[] secret) {}

    /** The attempt that a token speaks for; empty when this installation did not make it. */
    Optional<AttemptId> attempt(String token) {
        Matcher m = SHAPE.matcher(token);
        if (!m.matches() || !m.group(2).equals(installation())) return Optional.empty();
        String claims = token.substring(PREFIX.length(), token.lastIndexOf('.'));
        return secret(m.group(1))
                .filter(secret -> same(mac(secret, claims), m.group(5)))
                .map(secret -> new AttemptId(new JobId(Long.parseLong(m.group(3))), Integer.parseInt(m.group(4))));
    }

    /** The newest key that is not retired; the first one is made when it is needed. */
    private Key signingKey() {
        return newest().orElseGet(() -> transaction.execute(tx -> {
            jdbc.sql("select id from installation for update")
                    .query(String.class)
                    .single();
            return newest().orElseGet(this::makeKey);
        }));
    }

    private Optional<Key> newest() {
        return jdbc.sql(
                        "select id, secret from signing_key where retired_at is null order by created_at desc, id limit 1")
                .query((row, n) -> new Key(row.getString(1), row.getBytes(2)))
                .optional();
    }

    private Key makeKey() {
        String id = java.util.HexFormat.of().formatHex(Secrets.bytes(4));
        var key = new Key(id, Secrets.bytes(32));
        jdbc.sql("insert into signing_key (id, secret) values (?, ?)")
                .params(id, key.secret())
                .update();
        return key;
    }

    private Optional<byte[]> secret(String key) {
        return jdbc.sql("select secret from signing_key where id = ? and retired_at is null")
                .param(key)
                .query(byte[].class)
                .optional();
    }

    private String installation() {
        String known = installation;
        if (known == null) {
            known = jdbc.sql("select id from installation").query(String.class).single();
            installation = known;
        }
        return known;
    }

    private static String mac(byte[] secret, String claims) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(mac.doFinal(claims.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean same(String a, String b) {
        return MessageDigest.isEqual(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }
}
