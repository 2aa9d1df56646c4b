package io.muster.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.model.AttemptId;
import io.muster.model.JobId;
import io.muster.support.Database;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;

class AttemptTokensTest {
    private static final Database DATABASE = Database.fresh();
    private static final Database OTHER = Database.fresh();
    private static final AttemptId ATTEMPT = new AttemptId(new JobId(4711), 2);

    private final JdbcClient jdbc = DATABASE.jdbc();
    private final AttemptTokens tokens = tokens(DATABASE);

    @AfterAll
    static void close() {
        DATABASE.close();
        OTHER.close();
    }

    @Test
    void tokenSpeaksForItsAttempt() {
        assertThat(tokens.attempt(tokens.tokenFor(ATTEMPT))).contains(ATTEMPT);
    }

    @Test
    void changedTokenSpeaksForNobody() {
        String token = tokens.tokenFor(ATTEMPT);

        assertThat(tokens.attempt(token.replace(".4711.", ".4712."))).isEmpty();
        assertThat(tokens.attempt(token.replace(".2.", ".3."))).isEmpty();
        assertThat(tokens.attempt(token.substring(0, token.length() - 1) + (token.endsWith("A") ? "B" : "A")))
                .isEmpty();
        assertThat(tokens.attempt("msa_")).isEmpty();
    }

    @Test
    void tokenOfAnotherInstallationSpeaksForNobody() {
        jdbc.sql("select 1").query().singleValue();

        assertThat(tokens.attempt(tokens(OTHER).tokenFor(ATTEMPT))).isEmpty();
    }

    @Test
    void newKeySignsAndTheOldOneVerifiesUntilItIsRetired() {
        String old = tokens.tokenFor(ATTEMPT);
        jdbc.sql("insert into signing_key (id, secret, created_at) values ('next', ?, now() + interval '1 second')")
                .param(new byte[] {1, 2, 3})
                .update();

        assertThat(tokens.tokenFor(ATTEMPT)).startsWith("msa_next.");
        assertThat(tokens.attempt(old)).contains(ATTEMPT);

        jdbc.sql("update signing_key set retired_at = now() where id <> 'next'").update();
        assertThat(tokens.attempt(old)).isEmpty();
        jdbc.sql("delete from signing_key").update();
    }

    private static AttemptTokens tokens(Database database) {
        return new AttemptTokens(database.jdbc(), new JdbcTransactionManager(database.dataSource()));
    }
}
