/**
 * `npm run suite -- canaries`: sends known numbers, texts and secrets through a real installation, then
 * searches the database, the broker, Redis and all logs for them. No secret may be found, and with encryption
 * no number and no text. Encryption is enabled while the gateway runs, and earlier messages stay readable. An
 * erased number must be gone from every table and from Redis, whatever channel it was sent to.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { AccountClient, type Envelope, type SendResponse } from '../support/processes/account-client.ts'
import { createAccount, postern } from '../support/processes/postern-command.ts'
import { waitFor } from '../support/wait.ts'
import { openShippedInstallation } from './attack.ts'
import { sendsOver } from './every-channel.ts'
import { searchBroker, searchDatabase, searchLogs, searchRedis } from './search-stores.ts'

const findings: string[] = []
const word = (name: string): string => `CANARY${name}${randomBytes(6).toString('hex').toUpperCase()}`
const drawn = new Set<number>()
/**
 * The last digits choose the behaviour of the sandbox: 0001 delivers, 0002 fails, 0003 never responds. The
 * prefix 016 is unused by other suites, which all send to 010 and whose numbers stay in the shared files of
 * the broker.
 */
function number(ending: string): string {
  let middle = randomInt(1_000, 10_000)
  while (drawn.has(middle)) middle = randomInt(1_000, 10_000)
  drawn.add(middle)
  return `016${middle}${ending}`
}
/**
 * Returns the common part of 016…, 8216… and +8216…. Fewer digits are also found by chance in a file of many
 * keys and times.
 */
const significant = (phone: string): string => phone.slice(1)
const from = '0212345678'
const clear = { to: number('0001'), queued: number('3001'), text: word('CLEAR'), waiting: word('WAITING') }
/** Sent over every channel in plaintext, and erased at the end. */
const everywhere = {
  from,
  to: number('0001'),
  text: word('EVERYWHERE'),
  abroad: `+1212${randomInt(100, 999)}0001`,
}
const texts = {
  sms: word('SMS'),
  first: word('FIRST'),
  second: word('SECOND'),
  later: word('LATER'),
  queued: word('QUEUED'),
}
const to = {
  sms: number('0001'),
  omni: number('0002'),
  open: number('0003'),
  later: number('1001'),
  queued: number('2001'),
}
const secrets = {
  masterKey: randomBytes(32).toString('hex'),
  carrier: word('CARRIER'),
  proof: word('PROOF'),
  webhook: `whsec_${randomBytes(24).toString('base64')}`,
  webhookPath: word('PATH'),
  webhookQuery: word('QUERY'),
}

const installation = await openShippedInstallation({
  POSTERN_MASTER_KEY: 'env:CANARY_MASTER_KEY',
  CANARY_MASTER_KEY: secrets.masterKey,
  POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  POSTERN_LOG_LEVEL: 'debug',
})
const { environment } = installation
const encrypting = { POSTERN_ENCRYPT_MESSAGES: 'yes' }

interface Omni extends Envelope {
  readonly data: { readonly destinations: readonly { readonly msgKey: string; readonly to: string }[] }
}

async function requireSuccess<Answer extends Envelope>(
  answer: Promise<{ readonly body: Answer }>,
): Promise<Answer> {
  const { body } = await answer
  if (body.code !== 'A000') throw new Error(`${body.code} ${body.result}`)
  return body
}

/** Returns the locations of each canary by store. */
async function searchAll(canaries: readonly string[]): Promise<Readonly<Record<string, readonly string[]>>> {
  return {
    'the database': await searchDatabase(installation.databaseUrl, canaries),
    'the broker': await searchBroker(environment, canaries),
    Redis: await searchRedis(environment, canaries),
    'the logs': searchLogs(installation.directory, canaries),
  }
}
const search = async (canaries: readonly string[]): Promise<string[]> =>
  Object.values(await searchAll(canaries)).flat()

try {
  const credentials = await createAccount(environment, 'canary')
  const { key } = JSON.parse(
    await postern(environment, 'account', 'key', 'add', credentials.clientId, '--name', 'test', '--json'),
  ) as { key: string }
  const proof = ['--proof-kind', 'operator', '--proof-reference', secrets.proof]
  await postern(environment, 'sender', 'add', credentials.clientId, from, ...proof)
  const overEveryChannel = Object.entries(sendsOver(everywhere))
  await installation.putRoute({ id: 'sandbox', channels: overEveryChannel.map(([channel]) => channel) })
  await installation.putRoute({
    id: 'carrier',
    channels: ['sms'],
    protocol: 'smpp',
    flags: ['--disabled'],
    options: { host: '127.0.0.1', port: 1, systemId: 'me', password: secrets.carrier },
  })
  const [api, worker] = [
    await installation.startGateway('api', 'api'),
    await installation.startGateway('worker', 'worker'),
  ]
  await Promise.all([api.untilReady(120_000), worker.untilReady(120_000)])
  const plaintextClient = new AccountClient(api.url, credentials)
  const { data } = await requireSuccess(plaintextClient.login())
  await requireSuccess(
    plaintextClient.call<Envelope>(
      'POST',
      '/v1/webhook',
      JSON.stringify({
        url: `http://127.0.0.1:9/${secrets.webhookPath}?token=${secrets.webhookQuery}`,
        secret: secrets.webhook,
      }),
    ),
  )
  const closed = (client: AccountClient, msgKey: string): Promise<unknown> =>
    waitFor(`a report of ${msgKey}`, async () => (await client.inquire(msgKey)).body.code === 'A000', {
      timeoutMs: 60_000,
    })
  const early = await requireSuccess(plaintextClient.send('sms', { from, to: clear.to, text: clear.text }))
  await closed(plaintextClient, early.msgKey!)
  await Promise.all(
    overEveryChannel.map(async ([channel, body]) => {
      const path = `/v1/send/${channel}`
      const { msgKey } = await requireSuccess(
        plaintextClient.call<SendResponse>('POST', path, JSON.stringify(body)),
      )
      await closed(plaintextClient, msgKey!)
    }),
  )
  const everywhereFlow = JSON.stringify({
    destinations: [{ to: everywhere.to }],
    messageFlow: [{ sms: { from, text: everywhere.text } }],
  })
  const keyed = { 'idempotency-key': 'everywhere' }
  const { data: accepted } = await requireSuccess(
    plaintextClient.call<Omni>('POST', '/v1/send/omni', everywhereFlow, undefined, keyed),
  )
  await closed(plaintextClient, accepted.destinations[0]!.msgKey)
  // The search must find values in every store: the queue of a stopped worker, a response in Redis.
  await worker.stop()
  const queuedFlow = JSON.stringify({
    destinations: [{ to: clear.queued }],
    messageFlow: [{ sms: { from, text: clear.waiting } }],
  })
  const repeated = { 'idempotency-key': 'clear' }
  const repeatable = await requireSuccess(
    plaintextClient.call<Omni>('POST', '/v1/send/omni', queuedFlow, undefined, repeated),
  )
  const control = await searchAll(Object.values(clear))
  // Responses in Redis contain the key of the message instead of a recipient.
  const foundResponses = await searchRedis(environment, [repeatable.data.destinations[0]!.msgKey])
  for (const [store, found] of [
    ['the database', control['the database']!],
    ['the broker', control['the broker']!],
    ['Redis', foundResponses],
  ] as const)
    if (found.length === 0)
      findings.push(`without encryption the search finds nothing in ${store}, so it proves nothing`)
  findings.push(...control['the logs']!, ...control.Redis!)

  // Encryption is enabled process by process, while the others run.
  const sealedWorker = await installation.startGateway('worker', 'sealed-worker', encrypting)
  const sealedApi = await installation.startGateway('api', 'sealed-api', encrypting)
  await Promise.all([sealedWorker.untilReady(120_000), sealedApi.untilReady(120_000)])
  await api.stop()
  const client = new AccountClient(sealedApi.url, credentials)
  await client.login()
  const sms = await requireSuccess(client.send('sms', { from, to: to.sms, text: texts.sms }))
  const omni = JSON.stringify({
    destinations: [{ to: to.omni }],
    messageFlow: [
      { sms: { from, text: texts.first } },
      { mms: { from, text: texts.second, title: 'title' } },
    ],
  })
  const repeat = { 'idempotency-key': 'canary' }
  const sent = await requireSuccess(client.call<Omni>('POST', '/v1/send/omni', omni, undefined, repeat))
  const again = await requireSuccess(client.call<Omni>('POST', '/v1/send/omni', omni, undefined, repeat))
  if (JSON.stringify(again.data) !== JSON.stringify(sent.data))
    findings.push('a repeated request got another response')
  await requireSuccess(client.send('sms', { from, to: to.open, text: texts.sms }))
  const sendAt = encodeURIComponent(new Date(Date.now() + 3_600_000).toISOString())
  await requireSuccess(
    client.call<Envelope>(
      'POST',
      `/v1/send/sms?sendAt=${sendAt}`,
      JSON.stringify({ from, to: to.later, text: texts.later }),
    ),
  )
  await closed(client, sms.msgKey!)
  const [destination] = sent.data.destinations
  await closed(client, destination!.msgKey)
  await sealedWorker.stop()
  const queued = await requireSuccess(client.send('sms', { from, to: to.queued, text: texts.queued }))

  const personal = [...Object.values(to).map(significant), ...Object.values(texts)]
  findings.push(...(await search(personal)).map((where) => `with encryption on: ${where}`))
  if ((await client.call<Envelope>('GET', '/v1/usage', undefined, `Bearer ${key}`)).httpStatus !== 200)
    findings.push('the API key is rejected')
  const tokens = [credentials.password, data!.token, environment['POSTERN_TOKEN_SECRET']!, key]
  findings.push(
    ...(await search([...Object.values(secrets), ...tokens])).map((where) => `a secret: ${where}`),
  )

  sealedWorker.start()
  await sealedWorker.untilReady(120_000)
  await closed(client, queued.msgKey!)
  await closed(client, early.msgKey!)
  const operator = { ...environment, ...encrypting }
  const why = ['--reason', 'a test']
  const found = JSON.parse(
    await postern(operator, 'message', 'find', credentials.clientId, to.queued, '--json', ...why),
  ) as { items: { msgKey: string }[] }
  if (found.items[0]?.msgKey !== queued.msgKey) findings.push('the message is not found by its number')
  const output = await postern(operator, 'message', 'show', queued.msgKey!, '--reveal', ...why)
  if (!output.includes(to.queued)) findings.push('message show --reveal does not show the number')
  const erased = [clear.to, everywhere.to, everywhere.abroad].map(significant)
  erased.push(clear.text, everywhere.text)
  const stored = await searchDatabase(installation.databaseUrl, erased)
  if (!erased.every((one) => stored.some((where) => where.startsWith(one))))
    findings.push('before the erasure the search does not find everything, so it proves nothing')
  for (const one of [to.sms, clear.to, everywhere.to, everywhere.abroad])
    await postern(operator, 'account', 'erase-recipient', credentials.clientId, one, ...why)
  findings.push(
    ...[
      ...(await searchDatabase(installation.databaseUrl, erased)),
      ...(await searchRedis(environment, erased)),
    ].map((where) => `erased: ${where}`),
  )
  const gone = await postern(operator, 'message', 'find', credentials.clientId, to.sms, ...why)
  if (gone.includes(sms.msgKey!)) findings.push('an erased recipient is still found')
} catch (error) {
  findings.push((error as Error).stack ?? String(error))
}
findings.push(...installation.unexpectedExits)
await installation.close(findings.length > 0)
for (const finding of findings) process.stdout.write(`WRONG ${finding}\n`)
process.stdout.write(findings.length === 0 ? 'canaries: none found\n' : 'canaries: BROKEN\n')
process.exitCode = findings.length === 0 ? 0 : 1
