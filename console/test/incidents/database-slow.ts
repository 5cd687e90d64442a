/** An operator's query locks a table and blocks the writes of the gateway. */
import pg from 'pg'
import { findAlarm, type Incident } from './incident.ts'
import { phoneNumber, sendAll, sendSteadily } from './traffic.ts'

export const databaseSlow: Incident = {
  name: 'database-slow',
  async prepare(testBed) {
    const { client, installation } = testBed.gateway
    const body = (nth: number) => ({
      from: '15880000',
      to: phoneNumber('010', nth, '0001'),
      text: `Order ${nth}`,
    })
    // Traffic flowed before the lock.
    await sendAll(client, 50, body)
    sendSteadily(testBed, client, 20, body)
    const session = new pg.Client({
      connectionString: installation.databaseUrl,
      application_name: 'monthly-report',
    })
    session.on('error', () => undefined)
    await session.connect()
    testBed.addCleanup(() => session.end())
    // The lock ends even if this process crashes.
    await session.query(
      `set idle_in_transaction_session_timeout = '120s'; begin; lock table messages in exclusive mode`,
    )
    return {
      'database-slow': async (walk) => {
        // On a busy machine the database may be reported as slow first.
        const { alarm } = findAlarm(walk.page, 'for a lock on messages')
        await walk.begin(alarm)
        await walk.find(
          alarm,
          /PostgreSQL is slow: .*wait.* for a lock on messages, .*process \d+ \(monthly-report, user \S+\) holds it/,
        )
      },
    }
  },
}
