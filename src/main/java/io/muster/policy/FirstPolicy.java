package io.muster.policy;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Writes what is shipped as revision 1 of an installation that has no policy yet. */
@Component
class FirstPolicy {
    FirstPolicy(JdbcClient jdbc, PlatformTransactionManager transactions) {
        new TransactionTemplate(transactions).executeWithoutResult(tx -> write(jdbc));
    }

    /** Two servers that start at once take turns, so that there is one first revision. */
    private static void write(JdbcClient jdbc) {
        jdbc.sql("select revision from policy_change for update")
                .query(Long.class)
                .single();
        jdbc.sql("""
                insert into policy_revision (body, by, why)
                select :body::jsonb, 'muster', 'as shipped' where not exists (select from policy_revision)""")
                .param("body", new PolicyBody().write(PolicyValues.SHIPPED))
                .update();
    }
}
