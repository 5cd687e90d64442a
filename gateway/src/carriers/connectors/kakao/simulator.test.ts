/**
 * The simulated Kakao server, a process that shares no code with the gateway, chooses its behaviour by the ending (last four
 * digits) of the recipient. Tests the outcome and the receipts of every ending, for each way in which results arrive.
 */
import assert from 'node:assert/strict'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test, type TestContext } from 'node:test'
import {
  alimtalk,
  everyResult,
  flowSubmission,
  senderKey,
  type KakaoChannel,
} from '../../../../test/support/carriers/kakao-messages.ts'
import { jpeg } from '../../../../test/support/carriers/mm7.ts'
import { Program } from '../../../../test/support/processes/program.ts'
import { recorded } from '../../../../test/support/smpp/fixtures.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import { behaviours } from '../../../../../simulator/src/kakao/behaviours.ts'
import type { Receipt, Submission } from '../connector.ts'
import { createConnector } from '../registry.ts'
import type { ResponseMethod } from './options.ts'
import { serialBase } from './serial.ts'

type PerMethod = readonly [inResponse: string, polled: string]
const inBothMethods = (value: string): PerMethod => [value, value]

/** Outcomes of one submission after the other, and the receipts as `result:cause`. */
const endings: Readonly<Record<string, { readonly outcomes: PerMethod; readonly receipts: PerMethod }>> = {
  '0001': { outcomes: inBothMethods('accepted'), receipts: inBothMethods('delivered') },
  // The response is the result unless results are polled: a failure ends the step immediately.
  '0002': { outcomes: ['no-subscriber', 'accepted'], receipts: ['', 'no-subscriber'] },
  '0003': { outcomes: ['unknown', 'accepted'], receipts: inBothMethods('') },
  '0004': { outcomes: inBothMethods('accepted'), receipts: ['delivered', 'delivered delivered'] },
  '0006': { outcomes: ['timeout', 'accepted'], receipts: ['', 'timeout'] },
  '0007': { outcomes: ['refused', 'accepted'], receipts: ['', 'refused'] },
  '0008': { outcomes: inBothMethods('bad-number'), receipts: inBothMethods('') },
  '0009': { outcomes: inBothMethods('throttled accepted'), receipts: inBothMethods('delivered') },
  '0010': {
    outcomes: inBothMethods('throttled throttled throttled throttled throttled accepted'),
    receipts: inBothMethods('delivered'),
  },
  '0011': { outcomes: inBothMethods('accepted'), receipts: inBothMethods('delivered') },
  '0012': { outcomes: inBothMethods('unknown'), receipts: ['', 'delivered'] },
  '0013': { outcomes: inBothMethods('unknown'), receipts: inBothMethods('') },
  '0015': { outcomes: inBothMethods('accepted'), receipts: inBothMethods('delivered') },
  '0016': { outcomes: ['unsupported', 'accepted'], receipts: ['', 'unsupported'] },
  '0017': { outcomes: inBothMethods('unknown'), receipts: inBothMethods('') },
  '0018': { outcomes: inBothMethods('unknown'), receipts: ['', 'delivered'] },
  '0019': { outcomes: ['unsupported', 'accepted'], receipts: ['', 'unsupported'] },
  // The message can still arrive: the notice ends nothing.
  '0020': { outcomes: ['unknown', 'accepted'], receipts: ['', 'pending'] },
  '0051': { outcomes: inBothMethods('refused'), receipts: inBothMethods('') },
  '0052': { outcomes: inBothMethods('night-hours'), receipts: inBothMethods('') },
  '0053': { outcomes: inBothMethods('unknown'), receipts: inBothMethods('') },
  '0054': { outcomes: inBothMethods('unknown'), receipts: ['', 'delivered'] },
  '0055': { outcomes: inBothMethods('unknown'), receipts: ['', 'delivered'] },
  '0056': { outcomes: inBothMethods('unregistered-sender'), receipts: inBothMethods('') },
  '0057': { outcomes: inBothMethods('refused'), receipts: inBothMethods('') },
  '0058': { outcomes: inBothMethods('unregistered-sender'), receipts: inBothMethods('') },
  '0059': { outcomes: inBothMethods('unknown'), receipts: inBothMethods('') },
  '0060': { outcomes: inBothMethods('temporary-failure'), receipts: inBothMethods('') },
}

const simulator = new Program({
  name: 'kakao',
  script: 'simulator/src/main.ts',
  args: [
    ...['kakao', '--port', '0', '--control-port', '0', '--partner-key', 'key'],
    ...['--slow-ms', '100', '--late-ms', '200', '--batch-size', '3', '--serial-prefix'],
  ],
  environment: {},
  directory: await mkdtemp(join(tmpdir(), 'kakao-')),
})
simulator.start()
after(() => simulator.stop())
const line = await waitFor('the simulator', async () =>
  (await readFile(simulator.logFile, 'utf8')).split('\n').find((text) => text.includes('"ready"')),
)
const { port, controlPort } = JSON.parse(line) as { readonly port: number; readonly controlPort: number }
const url = `http://127.0.0.1:${port}`
const common = {
  url,
  uploadUrl: url,
  partnerKey: 'key',
  channelKey: 'channel',
  brandPath: 'brandmessage/send',
  responseTimeoutMs: 5_000,
  pollIntervalMs: 20,
  throttleRetryMs: 1,
}

suite('every ending has its outcome and its receipts', { concurrency: true }, () => {
  for (const method of ['realtime', 'push', 'polling'] as const)
    test(method, async (t) => {
      const { submit, receipts } = open(t, method)
      const index = method === 'polling' ? 1 : 0
      const endingOf = new Map<string, string>()
      await Promise.all(
        Object.entries(endings).map(async ([ending, { outcomes }]) => {
          const seen: string[] = []
          const submission = alimtalkTo(ending)
          endingOf.set(serialBase(submission.reference), ending)
          // The same reference: dispatch submits again what was certainly not accepted.
          for (let nth = 0; nth < outcomes[index].split(' ').length; nth++) {
            const outcome = await submit(submission)
            seen.push(outcome.kind === 'refused' ? outcome.cause : outcome.kind)
            if (outcome.kind === 'accepted') assert.equal(outcome.carrierId, serialBase(submission.reference))
          }
          assert.equal(seen.join(' '), outcomes[index], ending)
        }),
      )
      const receiptsOf = (ending: string): Receipt[] =>
        receipts.filter(({ carrierId }) => endingOf.get(carrierId!) === ending)
      for (const [ending, expected] of Object.entries(endings)) {
        const expectedReceipts = expected.receipts[index].split(' ').filter(Boolean)
        await waitFor(
          `${ending} to have ${expectedReceipts.length} receipts`,
          () => receiptsOf(ending).length === expectedReceipts.length,
        )
        const actualReceipts = receiptsOf(ending).map(({ result, cause }) =>
          result === 'failed' ? cause : result,
        )
        assert.deepEqual(actualReceipts, expectedReceipts, ending)
      }
      const expectedOfAll = Object.values(endings).flatMap((expected) =>
        expected.receipts[index].split(' ').filter(Boolean),
      )
      assert.equal(receipts.length, expectedOfAll.length, 'every receipt belongs to a submission')
    })

  test('accepts a new serial number after 9999 if the options map it to unreachable', async (t) => {
    const { submit } = open(t, 'realtime', { codes: { 9999: 'unreachable' } })
    const submission = alimtalkTo('0017', '다른 내용')
    assert.equal((await submit(submission)).kind, 'unreachable')
    assert.equal((await submit(submission)).kind, 'accepted')
    const serial = `${serialBase(submission.reference)}-01`
    assert.ok((await submissions(submission.to)).some(({ serialNumber }) => serialNumber === serial))
  })

  test('an image is uploaded once for friendtalk and brand messages, which contain its URL', async (t) => {
    const { submit, events } = open(t, 'realtime', { friendtalk: 'convert' })
    const to = '01099990001'
    const image = { imgUrl: 'https://files.example.com/a.jpg' }
    const bubble = { senderKey, msgType: 'FI', text: '사진', attachment: { image } }
    const entries: readonly (readonly [KakaoChannel, object])[] = [
      ['friendtalk', bubble],
      ['friendtalk', bubble],
      ['brandmessage', { ...bubble, sendType: 'free' }],
    ]
    for (const [channel, entry] of entries) {
      const outcome = await submit(numbered(flowSubmission(channel, entry, { to })))
      assert.equal(outcome.kind, 'accepted', JSON.stringify(outcome))
    }
    assert.equal(events.filter((event) => event === 'file-uploaded').length, 1)
    const imageUrls = (await submissions(to)).map(({ request }) => request.attachment?.image.img_url ?? '')
    assert.equal(imageUrls.length, 3)
    for (const imageUrl of imageUrls) assert.match(imageUrl, /^https:\/\/mud-kage\.kakao\.com\//)
  })

  test('the simulator has no other endings', () => {
    assert.deepEqual(Object.keys(endings).sort(), behaviours.map(({ ending }) => ending).sort())
  })
})

let references = 0

function numbered(submission: Submission): Submission {
  const reference = `20261115000000000C00A${String(++references).padStart(11, '0')}-1-1-1`
  return { ...submission, reference }
}

function alimtalkTo(ending: string, text = '안녕하세요'): Submission {
  return numbered(flowSubmission('alimtalk', { ...alimtalk, text }, { to: `0101234${ending}` }))
}

interface Accepted {
  readonly serialNumber: string
  readonly request: { readonly attachment?: { readonly image: { readonly img_url: string } } }
}

async function submissions(to: string): Promise<Accepted[]> {
  const response = await fetch(`http://127.0.0.1:${controlPort}/submissions?to=82${to.slice(1)}`)
  return ((await response.json()) as { submissions: Accepted[] }).submissions
}

function open(t: TestContext, method: ResponseMethod, overrides: object = {}) {
  const record = recorded()
  const openFile = (key: string) =>
    Promise.resolve({ key, bytes: jpeg(), contentType: 'image/jpeg', name: 'a.jpg' })
  const options = { ...common, results: everyResult(method), ...overrides }
  const connector = createConnector('kakao', options, { ...record.context, openFile })
  connector.start()
  t.after(() => connector.stop(100))
  return {
    submit: (submission: Submission) => connector.submit(submission),
    receipts: record.receipts,
    events: record.events,
  }
}
