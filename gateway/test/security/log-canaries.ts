/**
 * Known secrets, texts and numbers pass every path that can fail: wrong logins, malformed bodies, unknown
 * files, rejected sends, a broken database statement, unreachable webhooks, unreadable receipts. None may be
 * in the log of any process at the most verbose level.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AccountClient, type Envelope } from '../support/processes/account-client.ts'
import { createAccount, postern } from '../support/processes/postern-command.ts'
import { query } from '../support/processes/scratch-database.ts'
import { waitFor } from '../support/wait.ts'
import { runTargetAttack } from './attack.ts'

const canary = (name: string): string => `CANARY${name}7f3a9c`
const recipient = '01077775309'
const canaries = {
  text: canary('text'),
  ref: canary('ref'),
  wrongPassword: canary('password'),
  bearer: canary('bearer'),
  idempotencyKey: canary('idempotency'),
  fileName: canary('file'),
  formText: canary('form'),
  inbound: canary('inbound'),
  query: canary('query'),
}

await runTargetAttack({ POSTERN_LOG_LEVEL: 'trace' }, async ({ installation, url, wrong, report }) => {
  const { environment, databaseUrl, directory } = installation
  await installation.putRoute({ id: 'sandbox', channels: ['sms'] })
  const worker = await installation.startGateway('worker', 'worker')
  const credentials = await createAccount(environment, 'victim')
  const victim = new AccountClient(url, credentials)
  const token = (await victim.login()).body.data!.token
  const { key } = JSON.parse(
    await postern(environment, 'account', 'key', 'add', credentials.clientId, '--name', 'test', '--json'),
  ) as { key: string }
  await worker.untilReady()
  let requests = 0
  const call = async (
    method: string,
    path: string,
    body?: string,
    more: Record<string, string> = {},
    bearer = token,
  ): Promise<Envelope & { msgKey?: string; data?: Record<string, string> }> => {
    requests++
    const response = await victim.call<Envelope & { msgKey?: string; data?: Record<string, string> }>(
      method,
      path,
      body,
      `Bearer ${bearer}`,
      more,
    )
    return response.body
  }
  const { text, ref } = canaries
  const sms = { from: '0234567890', to: recipient, text, ref }
  const json = JSON.stringify(sms)
  const sent = await call('POST', '/v1/send/sms', json, { 'idempotency-key': canaries.idempotencyKey })
  for (const body of [
    json.slice(0, -3),
    json.replace(recipient, `${recipient}9999`),
    JSON.stringify({ ...sms, [text]: text }),
    JSON.stringify({ ...sms, text: `${text}\u0000\ud800` }),
    JSON.stringify({ ...sms, text: text.repeat(5_000) }),
    `"${text}"`,
  ])
    await call('POST', '/v1/send/sms', body)
  for (const channel of ['mms', 'rcs', 'alimtalk', 'friendtalk', 'brandmessage', 'international', 'omni'])
    await call('POST', `/v1/send/${channel}`, json)
  await call('POST', '/v1/send/sms', json, { 'content-type': 'text/plain' })
  await call(
    'POST',
    '/v1/form',
    JSON.stringify({ messageForm: [{ sms: { text: canaries.formText, unknown: 1 } }] }),
  )
  await call('GET', `/v1/report/stream?cursor=${canaries.query}`)
  await call('GET', `/${canaries.query}?number=${recipient}`)
  await call('GET', '/v1/usage', undefined, {}, canaries.bearer)
  await call('GET', '/v1/usage', undefined, {}, key)
  await victim.requestToken({ clientId: credentials.clientId, password: canaries.wrongPassword })
  await fetch(`${url}/inbound/sandbox/${canaries.inbound}`, { method: 'POST', body: canaries.inbound })
  const file = new FormData()
  file.append('file', new Blob([canaries.fileName], { type: 'image/jpeg' }), `${canaries.fileName}.jpg`)
  await fetch(`${url}/v1/file/MMS`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: file,
  })
  const webhook = await call(
    'POST',
    '/v1/webhook',
    JSON.stringify({ url: `https://192.0.2.1:9/${canaries.query}` }),
  )
  const other = await call(
    'POST',
    '/v1/webhook',
    JSON.stringify({ url: `https://unreachable.invalid/${canaries.query}` }),
  )
  const webhookSecrets = [webhook, other].flatMap(({ data }) =>
    data?.secret === undefined ? [] : [data.secret],
  )
  await waitFor('the message to be recorded', async () => {
    const { code } = await call('GET', `/v1/message/${sent.msgKey!}`)
    return code === 'A000'
  })
  // Break statements for a while: requests and rounds of the worker log the error of PostgreSQL.
  await query(databaseUrl, 'alter table reports rename to reports_gone')
  await call('GET', '/v1/report/polling')
  await call('GET', `/v1/report/inquiry/${sent.msgKey!}`)
  await call('POST', '/v1/send/sms', json)
  await query(databaseUrl, 'alter table reports_gone rename to reports')

  const needles = new Map<string, string>([
    ...Object.entries(canaries),
    ...([
      ['recipient', recipient],
      ['token', token],
      ['key', key],
      ['password', credentials.password],
    ] as const),
    ...webhookSecrets.map((secret, n) => [`webhook secret ${n}`, secret] as const),
    ['token secret', environment.POSTERN_TOKEN_SECRET!],
  ])
  let bytes = 0
  for (const name of readdirSync(directory)) {
    const log = readFileSync(join(directory, name), 'utf8')
    bytes += log.length
    for (const [secretName, needle] of needles)
      if (log.includes(needle)) {
        const line = log.split('\n').find((one) => one.includes(needle))!
        wrong(`${name} contains the ${secretName}: ${line.slice(0, 300)}`)
      }
  }
  report(`${requests} requests, ${needles.size} canaries, ${bytes} bytes of logs`)
  if (bytes === 0) wrong('there is no log')
})
