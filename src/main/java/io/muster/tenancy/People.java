package io.muster.tenancy;

import io.muster.model.UserId;
import java.util.Optional;

/** Reads users and service accounts, and makes the scope of one. */
public interface People {

    Optional<Person> find(UserId id);

    Optional<Person> find(String username);

    /** The scope of a principal that is not disabled. */
    Optional<Reader> reader(UserId id);
}
