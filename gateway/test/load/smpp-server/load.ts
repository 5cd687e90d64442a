/**
 * `npm run suite -- smpp-server:load [--accounts 50 --rate 2000 --seconds 30 --json]`: accounts with two
 * binds each, one at each of two SMPP servers, one of which is killed (SIGKILL) halfway and started again. Every
 * message with status 0 must be recorded and get its receipt. Exits with 1 and prints the violations if there
 * are any.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { defaultSettings } from '../../../src/identity/accounts/account.ts'
import { insertCredential } from '../../../src/identity/accounts/credential-queries.ts'
import { createKeyId } from '../../../src/identity/accounts/key.ts'
import { hashPassword } from '../../../src/identity/accounts/password.ts'
import { insertAccount } from '../../../src/identity/accounts/queries.ts'
import { choosePort } from '../../../../tools/engines/free-ports.ts'
import { TestInstallation } from '../../support/processes/test-installation.ts'
import { waitFor } from '../../support/wait.ts'
import { LoadBind, BindTally } from './load-bind.ts'

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '50' },
    rate: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '30' },
    json: { type: 'boolean', default: false },
  },
})
const [accounts, rate, seconds] = [Number(values.accounts), Number(values.rate), Number(values.seconds)]
const password = 'loadtest'
const settleMs = 180_000
const rebindMs = 60_000
const idsPerQuery = 5_000
const print = (line: string): void => {
  if (!values.json) process.stdout.write(`${line}\n`)
}

const installation = await TestInstallation.open()
const violations: string[] = []
let failed = true
try {
  const database = new pg.Pool({ connectionString: installation.databaseUrl, max: 2 })
  const hash = await hashPassword(password)
  for (let n = 0; n < accounts; n++) {
    const clientId = `load${n}`
    const settings = { ...defaultSettings, limits: { send: 0, report: 0, file: 0, form: 0 }, smppBinds: 2 }
    const accountId = await insertAccount(database, {
      ...settings,
      clientId,
      name: clientId,
      passwordHash: hash,
    })
    await insertCredential(database, {
      accountId,
      keyId: createKeyId(),
      kind: 'smpp',
      hash,
      name: '',
      createdBy: 'load',
      endsAt: null,
      scopes: null,
      networks: null,
    })
  }
  await installation.putRoute({ id: 'sandbox', channels: ['sms'] })
  const ports = [await choosePort(), await choosePort()]
  const relaxed = {
    POSTERN_TOKEN_REQUESTS_PER_MINUTE: '100000',
    POSTERN_TOKEN_ADDRESS_FAILURES_PER_MINUTE: '100000',
  }
  const fronts = await Promise.all(
    ports.map((port, n) =>
      installation.startGateway('smpp-server', `front-${n + 1}`, {
        ...relaxed,
        POSTERN_SMPP_SERVER_PORT: String(port),
      }),
    ),
  )
  const workers = await Promise.all([1, 2].map((n) => installation.startGateway('worker', `worker-${n}`)))
  await Promise.all([...fronts, ...workers].map((gateway) => gateway.untilReady(120_000)))

  const tally = new BindTally()
  const binds = Array.from(
    { length: 2 * accounts },
    (_, n) => new LoadBind(`load${Math.floor(n / 2)}`, password, ports, n % 2, tally),
  )
  const bindStarted = performance.now()
  await Promise.all(binds.map((bind) => bind.start()))
  print(`${binds.length} binds of ${accounts} accounts in ${Math.round(performance.now() - bindStarted)} ms`)

  const started = performance.now()
  let [sent, turn, killed] = [0, 0, false]
  while (performance.now() - started < seconds * 1_000) {
    const elapsed = (performance.now() - started) / 1_000
    let notReady = 0
    while (sent < elapsed * rate && notReady < binds.length) {
      const bind = binds[turn++ % binds.length]!
      if (!bind.ready) {
        notReady += 1
        continue
      }
      bind.submit()
      sent += 1
      notReady = 0
    }
    if (!killed && elapsed > seconds / 2) {
      killed = true
      await fronts[0]!.kill()
      print(`killed front-1 after ${Math.round(elapsed)} s`)
      fronts[0]!.start()
    }
    await pause(5)
  }
  const sendingMs = performance.now() - started
  const missing = (): number => [...tally.answered.keys()].filter((id) => !tally.receipts.has(id)).length
  const settleStarted = performance.now()
  await waitFor('all receipts', () => Promise.resolve(missing() === 0), {
    timeoutMs: settleMs,
    everyMs: 500,
  }).catch(() => undefined)
  const settledMs = performance.now() - settleStarted
  const isBack = (): boolean => tally.rebindMs.length >= tally.lost
  await waitFor('all binds', () => Promise.resolve(isBack()), { timeoutMs: rebindMs }).catch(() => undefined)
  const cameBack = isBack()

  const ids = [...tally.answered.keys()]
  let recorded = 0
  for (let first = 0; first < ids.length; first += idsPerQuery) {
    const { rows } = await database.query<{ n: string }>(
      'select count(*) as n from messages where msg_key = any ($1)',
      [ids.slice(first, first + idsPerQuery)],
    )
    recorded += Number(rows[0]!.n)
  }
  const ledger = await database.query<{ accepted: string; closed: string }>(
    'select sum(accepted) as accepted, sum(closed) as closed from ledger',
  )
  await Promise.all(binds.map((bind) => bind.stop()))
  await database.end()

  const answerMs = tally.answerMs.sort((left, right) => left - right)
  const repeated = [...tally.receipts.values()].reduce((sum, times) => sum + times - 1, 0)
  const figures = {
    accounts,
    binds: binds.length,
    seconds: Math.round(sendingMs / 1_000),
    rate,
    submitted: sent,
    answeredPerSecond: Math.round(ids.length / (sendingMs / 1_000)),
    answeredOk: ids.length,
    refused: Object.fromEntries(tally.refusals),
    unansweredAtKill: tally.unanswered,
    recorded,
    ledgerAccepted: Number(ledger.rows[0]!.accepted),
    ledgerClosed: Number(ledger.rows[0]!.closed),
    receipts: ids.length - missing(),
    missingReceipts: missing(),
    repeatedReceipts: repeated,
    receiptsOfOtherAccounts: tally.misdirected,
    answerMsMedian: Math.round(answerMs[Math.floor(answerMs.length / 2)] ?? 0),
    answerMs99: Math.round(answerMs[Math.floor(answerMs.length * 0.99)] ?? 0),
    rebinds: tally.rebindMs.length,
    rebindMsMax: Math.round(Math.max(0, ...tally.rebindMs)),
    lastReceiptAfterMs: Math.round(settledMs),
  }
  if (recorded < ids.length)
    violations.push(`${ids.length - recorded} messages with status 0 are not recorded`)
  if (figures.missingReceipts > 0) violations.push(`${figures.missingReceipts} receipts are missing`)
  if (tally.misdirected > 0) violations.push(`${tally.misdirected} receipts reached another account`)
  if (ids.length === 0) violations.push('no message got status 0')
  if (!cameBack || !killed) violations.push('not all binds of the killed server were restored')
  for (const exit of installation.unexpectedExits) violations.push(exit)
  failed = violations.length > 0
  if (values.json) process.stdout.write(`${JSON.stringify({ ...figures, violations })}\n`)
  for (const [name, figure] of Object.entries(figures))
    print(`${name.padEnd(26)} ${typeof figure === 'object' ? JSON.stringify(figure) : figure}`)
  for (const violation of violations) print(`VIOLATION  ${violation}`)
  print(failed ? 'FAILED' : 'passed')
} finally {
  await installation.close(failed)
}
process.exitCode = failed ? 1 : 0
