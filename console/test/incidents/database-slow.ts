/** A report that somebody runs locks a table, and what the gateway writes waits for it. */
import pg from 'pg'
import { alarmOf, type Incident } from './incident.ts'
import { numberOf, sendAll, sendSteadily } from './traffic.ts'

export const databaseSlow: Incident = {
  name: 'database-slow',
  async prepare(stage) {
    const { client, installation } = stage.gateway
    const body = (nth: number) => ({
      from: '15880000',
      to: numberOf('010', nth, '0001'),
      text: `Order ${nth}`,
    })
    // It flowed before.
    await sendAll(client, 50, body)
    sendSteadily(stage, client, 20, body)
    const session = new pg.Client({
      ...{ connectionString: installation.databaseUrl, application_name: 'monthly-report' },
    })
    session.on('error', () => undefined)
    await session.connect()
    stage.atEnd(() => session.end())
    // Whatever becomes of this process, the lock ends.
    await session.query(
      `set idle_in_transaction_session_timeout = '120s'; begin; lock table messages in exclusive mode`,
    )
    return {
      'database-slow': async (walk) => {
        // It may be slow for a moment before, on a busy machine.
        const { alarm } = alarmOf(walk.page, 'for a lock on messages')
        await walk.begin(alarm)
        await walk.find(
          alarm,
          /PostgreSQL is slow: .*wait.* for a lock on messages, .*process \d+ \(monthly-report, user \S+\) holds it/,
        )
      },
    }
  },
}
