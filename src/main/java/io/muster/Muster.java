package io.muster;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts the server. */
@SpringBootApplication
public class Muster {
    public static void main(String[] args) {
        SpringApplication.run(Muster.class, args);
    }
}
