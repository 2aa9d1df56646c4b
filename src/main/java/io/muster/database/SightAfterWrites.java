package io.muster.database;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/** Lets a request see what it has just committed; Spring Boot hands this to the transaction manager. */
@Component
class SightAfterWrites implements TransactionExecutionListener {
    @Override
    public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
        if (!transaction.isReadOnly()) Sight.written();
    }
}
