/**
 * Runs the examples of the reference in order against a real gateway with a sandbox account. Generated values are
 * compared by their format; an invented value that a later example uses is replaced by the generated one.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAccount, postern } from '../../../../test/support/processes/postern-command.ts'
import type { Gateway } from '../../../../test/support/processes/gateway.ts'
import { TestInstallation } from '../../../../test/support/processes/test-installation.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import { openReceiver, type Receiver } from '../../../../test/load/webhooks/receiver.ts'
import { makeJpeg } from '../../../../test/support/files/images.ts'
import { maapOptions, webhookToken } from '../../../../test/support/carriers/maap.ts'
import { sampleValues } from './examples/sample-values.ts'
import { exampleType, type Example, type Operation } from './operation.ts'
import { operationsFor } from './operations.ts'
import { assertMatchesExample } from '../../../../test/support/carriers/match-example.ts'

const channels = 'sms,mms,international,rcs,alimtalk,friendtalk,brandmessage'
const operations = operationsFor('SVC')

/** Orders the operations so that the SMS is reported before another send, and files and forms exist before their use. */
const order = [
  ...['issueToken', 'sendSms', 'findReports', 'pollReports', 'acknowledgeReports'],
  ...['showMessage', 'searchMessages', 'streamReports', 'moveConsumer', 'showUsage'],
  ...['pollReplies', 'acknowledgeReplies', 'streamReplies', 'moveReplyConsumer'],
  ...['uploadImage', 'uploadImageOfKind', 'sendMms', 'sendInternational', 'sendRcs', 'sendAlimtalk'],
  ...['sendFriendtalk', 'sendBrandmessage', 'uploadImageOfSubkind', 'registerForm', 'sendOmni', 'cancelSend'],
  ...[
    'createBatch',
    'uploadRecipients',
    'checkBatch',
    'startBatch',
    'pauseBatch',
    'resumeBatch',
    'showBatch',
  ],
  ...['listBatches', 'downloadBatchResults', 'cancelBatch', 'cancelByRef'],
  ...['showForm', 'changeForm', 'deleteForm', 'fetchImage', 'deleteFile'],
  ...['suppress', 'searchSuppression', 'removeSuppression', 'reportConversion'],
  ...['createWebhook', 'listWebhooks', 'showWebhook', 'testWebhook', 'listDeliveries', 'rotateWebhook'],
  ...['replayWebhook', 'changeWebhook', 'deleteWebhook'],
]

let site: TestInstallation
let gateway: Gateway
let receiver: Receiver | undefined
/** Generated values by the invented ones that the examples show. */
const real = new Map<string, string>()

before(async () => {
  site = await TestInstallation.open()
  await postern(site.environment, 'route', 'put', 'sandbox', '--protocol', 'sandbox', '--channels', channels)
  const { clientId, password } = await createAccount(site.environment, 'examples')
  await postern(
    ...[site.environment, 'route', 'put', 'chat', '--protocol', 'maap', '--channels', 'rcs', '--disabled'],
    ...['--accounts', clientId, '--options', JSON.stringify(maapOptions())],
  )
  real.set(sampleValues.clientId, clientId).set(sampleValues.password, password)
  real.set(sampleValues.sendAt, new Date(Date.now() + 86_400_000).toISOString())
  real.set(sampleValues.since, new Date(Date.now() - 3_600_000).toISOString())
  receiver = await openReceiver()
  real.set(sampleValues.webhookUrl, `${receiver.url}/reports`)
  gateway = await site.startGateway('all', 'gateway', {
    // The examples' receiver listens here.
    POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    POSTERN_FILE_FOLDER: `${site.directory}/files`,
    POSTERN_PUBLIC_FILE_URL: sampleValues.fileBase,
  })
  await gateway.untilReady()
  await deliverReply()
  await waitFor('the route', async () => (await gateway.metric('postern_route_linked')) === 1, {
    timeoutMs: 10_000,
  })
})

after(async () => {
  await receiver?.close()
  assert.deepEqual(await (site as TestInstallation | undefined)?.close(false), [])
})

function toReal(text: string): string {
  return [...real].reduce((replaced, [invented, given]) => replaced.replaceAll(invented, given), text)
}

async function ask({ method, path, open }: Operation, example: Example): Promise<Response> {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => example.path?.[name] ?? '')
  const headers = new Headers(
    JSON.parse(toReal(JSON.stringify(example.headers ?? {}))) as Record<string, string>,
  )
  if (!open) headers.set('authorization', `Bearer ${toReal(sampleValues.token)}`)
  const query = toReal(JSON.stringify(example.query ?? {}))
  const search = new URLSearchParams(JSON.parse(query) as Record<string, string>).toString()
  const init: RequestInit = { method: method.toUpperCase(), headers }
  if (example.body !== undefined) {
    headers.set('content-type', exampleType(example.body))
    init.body = toReal(typeof example.body === 'string' ? example.body : JSON.stringify(example.body))
  }
  if (example.file !== undefined) {
    const { name, width, height } = example.file
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(makeJpeg(width, height))], { type: 'image/jpeg' }), name)
    init.body = form
  }
  return fetch(`${gateway.url}${toReal(filled)}${search === '' ? '' : `?${search}`}`, init)
}

/** Omits short waits: a message waits, as its timeline shows, until intake has read the capacity of the route. */
function withoutHolds(key: string, value: unknown): unknown {
  if (key !== 'events' || !Array.isArray(value)) return value
  return value.filter((event: { kind?: string }) => event.kind !== 'held')
}

const stateOf = (answer: unknown): unknown => (answer as { data?: { state?: unknown } }).data?.state

/** Repeats the request until the report exists, or the batch is in the state of the example. */
async function askUntil(
  operation: Operation,
  example: Example,
): Promise<{ status: number; answer: unknown }> {
  const isEmpty = (answer: unknown): boolean => JSON.stringify(answer).includes('"report":[]')
  let last = { status: 0, answer: null as unknown }
  await waitFor(
    `a response like that of ${example.name}`,
    async () => {
      const response = await ask(operation, example)
      last = { status: response.status, answer: JSON.parse(await response.text(), withoutHolds) as unknown }
      if (operation.tag === 'Batches') return stateOf(last.answer) === stateOf(example.response)
      return operation.tag !== 'Reports' || isEmpty(last.answer) === isEmpty(example.response)
    },
    { timeoutMs: 10_000, everyMs: 50 },
  )
  return last
}

/** Delivers a reply like a carrier, to the chatbot of the account. */
async function deliverReply(): Promise<void> {
  const reply = {
    replyId: 'r-1',
    eventType: 'message',
    userContact: '01012345678',
    chatbotId: '15881588',
    messageBody: { textMessage: 'Yes, 3 pm is fine' },
  }
  await waitFor('the reply to be taken', async () => {
    const response = await fetch(`${gateway.url}/inbound/chat/${webhookToken}/SKT`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([reply]),
    })
    return response.status === 200
  })
}

test('the examples of every operation are run', () => {
  assert.deepEqual([...order].sort(), operations.map(({ id }) => id).sort())
})

for (const id of order) {
  const operation = operations.find((candidate) => candidate.id === id)!
  for (const example of operation.examples) {
    test(`${id}: ${example.name} gets the response in the example`, async () => {
      const { status, answer } = await askUntil(operation, example)
      assert.equal(status, example.status, JSON.stringify(answer))
      assertMatchesExample(answer, example.response, real)
    })
  }
}

test('the imgUrl of the examples serves the image', async () => {
  const response = await fetch(`${gateway.url}/v1/file/content/${toReal(sampleValues.bubbleKey)}`)
  assert.equal(response.headers.get('content-type'), 'image/jpeg')
  assert.equal(response.status, 200)
})
