import pg from 'pg'
import { query } from '../../support/processes/scratch-database.ts'

/** Prevents intake from recording messages until `remove`, so they are parked. */
export async function preventRecording(databaseUrl: string): Promise<{ remove(): Promise<void> }> {
  await query(databaseUrl, `alter table messages add constraint refused check (false) not valid`)
  return {
    remove: async () => {
      await query(databaseUrl, `alter table messages drop constraint refused`)
    },
  }
}

/** Prevents settle from closing messages until `release`, so receipts stay in the queue. */
export async function lockReports(databaseUrl: string): Promise<{ release(): Promise<void> }> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query('lock table report_sequences in access exclusive mode')
  return { release: () => client.end() }
}
