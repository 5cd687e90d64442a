package com.example.reconciliation;

import com.example.reconciliation.Gateway.Counts;
import com.example.reconciliation.Gateway.Message;
import com.example.reconciliation.Gateway.ReportPage;
import java.time.LocalDate;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

@Repository
class MessageTable {

    record Row(String id, LocalDate sentOn, String msgKey) {}

    private final JdbcClient jdbc;

    MessageTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Null before the first page. */
    String position() {
        return jdbc.sql("select next_cursor from stream_position where stream = 'report'")
                .query(String.class).optional().orElse(null);
    }

    @Transactional
    public void store(ReportPage page) {
        for (var report : page.report()) {
            if (report.last()) {
                assign(report.msgKey(), report.ref(), report.outcome());
            }
        }
        jdbc.sql("merge into stream_position key (stream) values ('report', ?)").param(page.cursor()).update();
    }

    /** Finds the row by msgKey, or else by ref a row without a msgKey. The outcome is null while the message is open. */
    @Transactional
    public void assign(String msgKey, String ref, String outcome) {
        var rows = jdbc.sql("update message set outcome = ? where msg_key = ?").params(outcome, msgKey).update();
        if (rows == 0) {
            rows = jdbc.sql("update message set msg_key = ?, outcome = ? where id = ? and msg_key is null")
                    .params(msgKey, outcome, ref).update();
        }
        if (rows == 0) {
            jdbc.sql("merge into stray key (msg_key) values (?, ?, ?)").params(msgKey, ref, outcome).update();
        } else {
            jdbc.sql("delete from stray where msg_key = ?").param(msgKey).update();
        }
    }

    List<Row> withoutOutcome(LocalDate day) {
        return jdbc.sql("select id, sent_on, msg_key from message where outcome is null and sent_on <= ? order by id")
                .param(day).query(Row.class).list();
    }

    List<Message> strays() {
        return jdbc.sql("select msg_key, ref, coalesce(outcome, 'open') as outcome from stray order by msg_key")
                .query(Message.class).list();
    }

    Counts count(LocalDate day) {
        return jdbc.sql("""
                        select count(case when outcome = 'delivered' then 1 end) as delivered, count(outcome) as closed
                        from message where sent_on = ?""")
                .param(day).query(Counts.class).single();
    }
}
