package com.example.reconciliation;

import java.time.LocalDate;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;

@SpringBootApplication
@EnableScheduling
public class ReconciliationApplication {

    /** Runs every night, or once with --day=2026-11-17. */
    public static void main(String[] args) {
        var context = SpringApplication.run(ReconciliationApplication.class, args);
        var day = context.getEnvironment().getProperty("day");
        if (day != null) {
            try (context) {
                context.getBean(Reconciliation.class).reconcile(LocalDate.parse(day));
            }
        }
    }
}
