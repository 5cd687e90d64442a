import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { openPipeline } from '../../../test/support/pipeline/pipeline.ts'
import { testRoute } from '../../../test/support/routes.ts'
import { waitFor } from '../../../test/support/wait.ts'

const accountId = 71
const callbackToken = 'token-of-the-callbacks'
const messages = 6
/** Number of messages that the carrier accepts before the top-up. */
const initialBalance = 2

test('an empty balance leaves messages waiting, and they are sent once after the top-up', async () => {
  const pipeline = await openPipeline()
  let balance = initialBalance
  let refused = 0
  const sent: string[] = []
  const carrier = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { messages: submitted } = JSON.parse(Buffer.concat(chunks).toString()) as {
        readonly messages: readonly { readonly destinations: readonly { readonly messageId: string }[] }[]
      }
      const reference = submitted[0]!.destinations[0]!.messageId
      const isPaid = balance > 0
      if (isPaid) sent.push(reference)
      else refused++
      if (isPaid) balance--
      const status = isPaid
        ? { groupId: 1, groupName: 'PENDING', name: 'PENDING_ACCEPTED' }
        : {
            groupId: 5,
            groupName: 'REJECTED',
            name: 'REJECTED_NOT_ENOUGH_CREDITS',
            description: 'Not enough credits',
          }
      response.end(JSON.stringify({ messages: [{ messageId: reference, status }] }))
      if (isPaid) void report(reference)
    })
  }).listen(0, '127.0.0.1')
  await once(carrier, 'listening')
  addCleanup(() => carrier.close().closeAllConnections())
  const { port } = carrier.address() as AddressInfo
  const report = async (messageId: string): Promise<void> => {
    const status = { groupName: 'DELIVERED', name: 'DELIVERED_TO_HANDSET' }
    const body = JSON.stringify({ results: [{ messageId, status }] })
    await fetch(`${pipeline.inboundUrl}/prepaid/${callbackToken}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
  }
  await pipeline.addRoute(
    testRoute('prepaid', {
      protocol: 'infobip',
      options: { url: `http://127.0.0.1:${port}`, apiKey: 'key', callbackToken, loginPauseMs: 50 },
    }),
  )
  await pipeline.startWorker()
  const step = { channel: 'sms', from: '0215880000', text: 'Hello' } as const
  const closed = Promise.all(
    Array.from({ length: messages }, (_, n) => pipeline.send(accountId, `0101234000${n}`, step)),
  )
  await waitFor('another refusal after the pause', () => refused > messages - initialBalance)
  assert.equal(sent.length, initialBalance)
  balance = Infinity
  await closed
  assert.equal(new Set(sent).size, messages)
  assert.equal(sent.length, messages)
  await pipeline.balances(accountId, messages)
})
