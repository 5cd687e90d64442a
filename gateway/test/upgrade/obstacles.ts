/** Obstacles in the database that keep messages in a state which otherwise lasts milliseconds. */
import pg from 'pg'
import { query } from '../support/processes/scratch-database.ts'

/** Intake can record no message until `remove`: each is parked. */
export async function refuseRecording(databaseUrl: string): Promise<{ remove(): Promise<void> }> {
  await query(databaseUrl, `alter table messages add constraint refused check (false) not valid`)
  return {
    remove: async () => {
      await query(databaseUrl, `alter table messages drop constraint refused`)
    },
  }
}

/** Settle can close no message until `release`, so that receipts stay in the queue. */
export async function lockReports(databaseUrl: string): Promise<{ release(): Promise<void> }> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query('lock table report_sequences in access exclusive mode')
  return { release: () => client.end() }
}
