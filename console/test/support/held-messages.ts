/** Sets up an account whose suspicious messages are held, with a cap that is nearly used up. */
import { findAccountId } from '../../../gateway/src/identity/accounts/queries.ts'
import { openDatabase, type Database } from '../../../gateway/src/platform/database/database.ts'
import { createFindPeriodStart } from '../../../gateway/src/trust/abuse/caps.ts'
import { updateProtection, setCap } from '../../../gateway/src/trust/abuse/protection.ts'
import { setSwitches } from '../../../gateway/src/trust/switches.ts'
import { createTestAuditContext } from '../../../gateway/test/support/audit-context.ts'
import { silentLog } from '../../../gateway/test/support/silent-log.ts'
import type { ConsoleInstallation } from './console-installation.ts'
import { waitFor } from './wait.ts'

type Installation = Pick<ConsoleInstallation, 'client' | 'installation'>

/** Resolves when the API applies the rule. */
export function holdSuspicious(gateway: Installation): Promise<void> {
  return withDatabase(gateway, async (database) => {
    const { clientId } = gateway.client.credentials
    const accountId = (await findAccountId(database, clientId))!
    await setSwitches(database, ['link-allowed'], true, createTestAuditContext('kim', 'phishing'))
    await updateProtection(database, accountId, { links: 'no-shorteners', onSuspicion: 'hold' })
    await setCap(database, accountId, { class: 'international', period: 'month', max: 10 })
    await setCap(database, accountId, { class: 'all', period: 'day', max: 100_000 })
    await database.query(
      `insert into cap_counts (account_id, period, class, begins, used) values ($1, 'month', 'international', $2, 9)`,
      [accountId, createFindPeriodStart('Asia/Seoul')('month', Date.now())],
    )
    await waitFor('the rule', async () => {
      const response = await gateway.client.call(
        'POST',
        '/v1/send/sms?dryRun=true',
        JSON.stringify(suspicious(0)),
      )
      return JSON.stringify(response.body).includes('link-allowed')
    })
  })
}

/** Resolves to their keys, oldest first, when all are held. */
export async function sendSuspicious(gateway: Installation, count: number): Promise<string[]> {
  const keys: string[] = []
  for (let nth = 1; nth <= count; nth += 1) {
    const { body } = await gateway.client.send('sms', suspicious(nth))
    keys.push(body.msgKey!)
  }
  await withDatabase(gateway, (database) =>
    waitFor('held messages', async () => {
      const { rowCount } = await database.query(
        `select from waiting where msg_key = any ($1) and rule = 'link-allowed'`,
        [keys],
      )
      return rowCount === count
    }),
  )
  return keys
}

const suspicious = (nth: number) => ({
  from: '15880000',
  to: `0107777${String(nth).padStart(4, '0')}`,
  text: `Your parcel: bit.ly/p${nth}`,
})

async function withDatabase<T>(
  { installation }: Installation,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = openDatabase(installation.databaseUrl, silentLog, { connections: 2 })
  try {
    return await work(database)
  } finally {
    await database.end()
  }
}
