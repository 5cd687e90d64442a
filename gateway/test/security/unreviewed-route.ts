/**
 * `node gateway/test/security/unreviewed-route.ts`: an operator saves a route of a bank to a host of their own, which would
 * read its one-time codes, and saves it again after another operator has read it. Only what the other operator has read may
 * be enabled.
 */
import { openDatabase } from '../../src/platform/database/database.ts'
import { addTestOperator } from '../support/http/operators.ts'
import { createAccount, postern } from '../support/processes/postern-command.ts'
import { silentLog } from '../support/silent-log.ts'
import { openShippedInstallation } from './attack.ts'
import { runAttack } from './outcome.ts'

await runAttack(async () => {
  const installation = await openShippedInstallation()
  const findings: string[] = []
  try {
    const { environment, databaseUrl } = installation
    const { clientId } = await createAccount(environment, 'bank')
    const database = openDatabase(databaseUrl, silentLog, { connections: 1 })
    const admin = await addTestOperator(database, 'admin', 'admin')
    const author = await addTestOperator(database, 'author', 'operator')
    const run = (key: string, ...args: string[]): Promise<string> =>
      postern({ ...environment, POSTERN_OPERATOR_KEY: key }, ...args)
    const put = (host: string, ...more: string[]): Promise<string> =>
      run(
        author,
        ...[
          'route',
          'put',
          'own',
          '--channels',
          'sms',
          '--accounts',
          clientId,
          '--protocol',
          'smpp',
          ...more,
        ],
        ...['--options', JSON.stringify({ host, systemId: 'me', password: 'secret' })],
      )
    const mustFail = async (what: string, work: Promise<string>): Promise<void> => {
      const isRefused = await work.then(
        () => false,
        () => true,
      )
      if (!isRefused) findings.push(`${what} was accepted`)
    }
    const readVersion = async (): Promise<string> =>
      (JSON.parse(await run(admin, 'route', 'show', 'own', '--json')) as { version: string }).version
    await mustFail('an enabled route to a new host', put('203.0.113.7'))
    await put('203.0.113.7', '--disabled')
    await mustFail(
      'enabling by the author',
      run(author, 'route', 'enable', 'own', '--reviewed', await readVersion()),
    )
    const reviewed = await readVersion()
    await put('203.0.113.66', '--disabled')
    await mustFail(
      'a version saved after the review',
      run(admin, 'route', 'enable', 'own', '--reviewed', reviewed),
    )
    await mustFail('a version that nobody names', run(admin, 'route', 'enable', 'own'))
    const { rows } = await database.query<{ enabled: boolean }>(`select enabled from routes where id = 'own'`)
    if (rows[0]!.enabled) findings.push('the route is enabled')
    await run(admin, 'route', 'enable', 'own', '--reviewed', await readVersion())
    await database.end()
    return {
      findings,
      figures: ['one operator could not route messages of an account to a host of their own'],
    }
  } finally {
    await installation.close(findings.length > 0)
  }
})
