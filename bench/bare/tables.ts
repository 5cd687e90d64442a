/**
 * Tables and statements of the bare pipeline: the gateway's message and report columns without partitions,
 * ledger or attempts. Both statements write many rows and commit synchronously, the default of PostgreSQL.
 */
export const createTables = (schema: string): string => `
  create schema ${schema};
  -- Room on each page, so that the receipt's update need not touch the indexes.
  create table ${schema}.messages (
    msg_key text collate "C" primary key, account_id integer not null, recipient text not null, flow json not null,
    ref text, accepted_at timestamptz not null, carrier_id text not null, submitted_at timestamptz not null,
    result text, result_at timestamptz) with (fillfactor = 70);
  create index on ${schema}.messages (carrier_id);
  create table ${schema}.reports (
    id bigint generated always as identity primary key, msg_key text not null, account_id integer not null,
    service_type text not null, msg_type text not null, sent_at timestamptz not null,
    reported_at timestamptz not null, report_code text not null, report_text text not null, carrier text not null,
    parts smallint not null, ref text);`

export const insertMessages = (schema: string) => ({
  name: 'insert-messages',
  text: `insert into ${schema}.messages (msg_key, account_id, recipient, flow, ref, accepted_at, carrier_id, submitted_at)
         select * from unnest($1::text[], $2::int[], $3::text[], $4::json[], $5::text[], $6::timestamptz[],
                              $7::text[], $8::timestamptz[])
         on conflict do nothing`,
})

/**
 * The statement returns the carrier ids that were found. The worker repeats the others, because a receipt can arrive
 * before the row of its message.
 */
export const closeMessages = (schema: string) => ({
  name: 'close-messages',
  text: `with closed as (
           update ${schema}.messages m set result = r.result, result_at = r.result_at
             from unnest($1::text[], $2::text[], $3::timestamptz[]) as r (carrier_id, result, result_at)
            where m.carrier_id = r.carrier_id
           returning m.msg_key, m.account_id, m.submitted_at, m.result, m.result_at, m.ref, m.carrier_id),
         reported as (
           insert into ${schema}.reports (msg_key, account_id, service_type, msg_type, sent_at, reported_at, report_code,
                                     report_text, carrier, parts, ref)
           select msg_key, account_id, 'SMS', 'SM', submitted_at, result_at, result, 'Success', '10000', 1, ref
             from closed)
         select carrier_id from closed`,
})
