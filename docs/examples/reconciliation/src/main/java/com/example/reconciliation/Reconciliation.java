package com.example.reconciliation;

import com.example.reconciliation.Gateway.Report;
import com.example.reconciliation.MessageTable.Row;
import java.time.LocalDate;
import java.time.ZoneId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

@Component
class Reconciliation {

    private static final Logger log = LoggerFactory.getLogger(Reconciliation.class);
    private static final ZoneId SEOUL = ZoneId.of("Asia/Seoul");

    private final Gateway gateway;
    private final MessageTable messages;

    Reconciliation(Gateway gateway, MessageTable messages) {
        this.gateway = gateway;
        this.messages = messages;
    }

    @Scheduled(cron = "0 30 3 * * *", zone = "Asia/Seoul")
    void reconcileYesterday() {
        reconcile(LocalDate.now(SEOUL).minusDays(1));
    }

    void reconcile(LocalDate day) {
        log.info("{}: {} reports read", day, readReports());
        messages.withoutOutcome(day).forEach(this::examine);
        for (var stray : messages.strays()) {
            log.warn("{} (ref {}) has no row: {}", stray.msgKey(), stray.ref(), stray.outcome());
        }
        var ours = messages.count(day);
        var theirs = gateway.count(day);
        if (!ours.equals(theirs)) {
            log.warn("our table has {}, the gateway {}", ours, theirs);
        }
    }

    private int readReports() {
        var count = 0;
        while (true) {
            var page = gateway.readReports(messages.position());
            if (page.report().isEmpty()) {
                return count;
            }
            messages.store(page);
            count += page.report().size();
        }
    }

    private void examine(Row row) {
        if (row.msgKey() == null) {
            search(row);
            return;
        }
        var inquiry = gateway.inquire(row.msgKey());
        switch (inquiry.state()) {
            case "open" -> log.info("{} is open", row.id());
            // It closed during this run, or its report was read before its row was committed.
            case "closed" -> inquiry.data().report().stream().filter(Report::last)
                    .forEach(report -> messages.assign(report.msgKey(), report.ref(), report.outcome()));
            default -> log.warn("{}: the gateway has no message {}", row.id(), row.msgKey());
        }
    }

    private void search(Row row) {
        // The day before is included because the two clocks may differ.
        var found = gateway.findByRef(row.id(), row.sentOn().minusDays(1).atStartOfDay(SEOUL).toInstant());
        if (found.isEmpty()) {
            log.warn("{}: no message has this ref", row.id());
        }
        for (var message : found) {
            log.warn("{}: message {} has this ref", row.id(), message.msgKey());
            messages.assign(message.msgKey(), message.ref(), message.outcome());
        }
    }
}
