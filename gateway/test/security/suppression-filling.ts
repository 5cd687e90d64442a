/**
 * `node gateway/test/security/suppression-filling.ts`: an account fills the recipient lists with invented
 * numbers: by revoking entries that never existed, by flooding opt-outs, and while the lock that all lists
 * share is held. Only accepted entries may be stored, and another account must be able to send, read reports
 * and opt out in the meantime.
 */
import pg from 'pg'
import { AccountClient, type Envelope } from '../support/processes/account-client.ts'
import { createAccount } from '../support/processes/postern-command.ts'
import { runTargetAttack } from './attack.ts'

const numbersPerRequest = 1_000
const floodRequests = 30
/** Limit while only the lock is held; during a flood the machine is busy. */
const maxMs = 1_000
const maxBusyMs = 5_000
const message = JSON.stringify({ from: '0234567890', to: '01012345678', text: 'x' })

await runTargetAttack({ POSTERN_FORM_LIMIT: '0' }, async ({ installation, attacker, url, wrong, report }) => {
  const database = new pg.Client(String(installation.environment['POSTERN_DATABASE_URL']))
  await database.connect()
  const other = new AccountClient(url, await createAccount(installation.environment, 'other'))
  await other.login()
  const post = async (client: AccountClient, body: object): Promise<string> => {
    const response = await client.call<Envelope>('POST', '/v1/suppression', JSON.stringify(body))
    return response.body.code
  }
  const invented = (nth: number): string[] =>
    Array.from({ length: numbersPerRequest }, (_, n) => `010${10_000_000 + nth * numbersPerRequest + n}`)
  const count = async (table: string): Promise<number> =>
    Number((await database.query<{ n: string }>(`select count(*) as n from ${table}`)).rows[0]!.n)
  const summary = (codes: readonly string[]): string =>
    [...Map.groupBy(codes, (code) => code)].map(([code, all]) => `${all.length} × ${code}`).join(', ')
  /** Performs the requests of another account and measures the slowest. */
  async function neighbour(isLocked: boolean): Promise<void> {
    let slowest = 0
    for (const [what, request] of [
      ['a send', () => other.call('POST', '/v1/send/sms', message)],
      ['its reports', () => other.call('GET', '/v1/report/polling')],
      [
        'a look-up',
        () => other.call('POST', '/v1/suppression/search', JSON.stringify({ to: '01012345678' })),
      ],
      ...(isLocked
        ? []
        : [
            [
              'an opt-out',
              () => other.call('POST', '/v1/suppression', JSON.stringify({ to: ['01099999999'] })),
            ] as const,
          ]),
    ] as const) {
      const began = performance.now()
      const { httpStatus } = await request()
      slowest = Math.max(slowest, performance.now() - began)
      if (httpStatus !== 200) wrong(`${what} of another account got ${httpStatus}`)
    }
    if (slowest > (isLocked ? maxMs : maxBusyMs)) wrong(`another account waited ${Math.round(slowest)} ms`)
    report(`slowest request of another account: ${Math.round(slowest)} ms`)
  }

  const starts = Array.from({ length: floodRequests }, (_, n) =>
    post(attacker, { to: invented(n), keyword: 'START' }),
  )
  await neighbour(false)
  report(
    `${floodRequests} × ${numbersPerRequest} invented numbers revoked: ${summary(await Promise.all(starts))}`,
  )
  // The opt-out of the other account.
  const neighbourEntries = 1
  if ((await count('recipient_choices')) > neighbourEntries)
    wrong('revoking invented numbers has stored rows')

  const stops = Array.from({ length: floodRequests }, (_, n) =>
    post(attacker, { to: invented(n), reason: 'x'.repeat(200) }),
  )
  await neighbour(false)
  const codes = await Promise.all(stops)
  report(`${floodRequests} × ${numbersPerRequest} invented opt-outs at once: ${summary(codes)}`)
  const stored = await count('recipient_choices')
  const accepted = codes.filter((code) => code === 'A000').length * numbersPerRequest + neighbourEntries
  if (stored !== accepted) wrong(`${stored} entries are stored, ${accepted} were accepted`)
  if (codes.some((code) => code !== 'A000' && code !== 'A920')) wrong(`opt-outs got ${summary(codes)}`)

  await database.query('begin')
  await database.query(`select from trust_versions where topic = 'suppression' for update`)
  const stuck = Array.from({ length: 40 }, (_, n) => post(attacker, { to: [`0109${1_000_000 + n}`] }))
  await neighbour(true)
  const blocked = await Promise.all(stuck)
  await database.query('rollback')
  report(`40 opt-outs while the lock is held: ${summary(blocked)}`)
  if (blocked.some((code) => code !== 'A920')) wrong(`opt-outs got ${summary(blocked)}, expected A920`)
  if ((await post(attacker, { to: ['01090000000'] })) !== 'A000') wrong('an opt-out afterwards is rejected')
  await database.end()
})
