package io.muster.support;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DatabaseTest {
    @Test
    void everyDatabaseIsMigratedAndItsOwn() {
        try (var one = Database.fresh();
                var other = Database.fresh()) {
            one.jdbc()
                    .sql("insert into qrtz_locks (sched_name, lock_name) values ('muster', 'mine')")
                    .update();

            assertThat(rows(one)).isEqualTo(1);
            assertThat(rows(other)).isZero();
        }
    }

    private static long rows(Database database) {
        return database.jdbc()
                .sql("select count(*) from qrtz_locks")
                .query(Long.class)
                .single();
    }
}
