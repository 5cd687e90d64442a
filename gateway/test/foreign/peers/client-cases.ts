/**
 * Cases of the gateway's SMPP server with every third-party client. Each function throws if its case fails.
 */
import assert from 'node:assert/strict'
import { waitFor } from '../../support/wait.ts'
import type { Client } from './client-program.ts'
import type { ClientKind } from './clients.ts'
import type { Tap } from './tap.ts'
import { codedTexts, cutLongText, encode, longText, type CodedText } from './texts.ts'

export interface ClientTestBed {
  readonly kind: ClientKind
  readonly client: Client
  readonly tap: Tap
  /** Returns the parts of a message in order, as the carrier behind the gateway received them. */
  readonly partsAt: (to: string) => Promise<readonly string[]>
  /** Limits messages per second of the account; 0 removes the limit. */
  readonly limit: (perSecond: number) => Promise<void>
  /** Returns the next message number. */
  readonly next: () => number
}

/** Resolves with `skipped` if the client does not support the case. */
export type ClientCase = (testBed: ClientTestBed) => Promise<'skipped' | undefined>

const within = { timeoutMs: 60_000, everyMs: 20 }
const submitResp = '0x80000004'
const throttled = `${submitResp}:0x00000058`
/** Maximum submissions until one must be throttled: the limit takes about a second to reach the server. */
const maxFlood = 400

const recipientOf = (n: number): string => `49151123${5_000 + n}`
const count = (counts: ReadonlyMap<string, number>, ...keys: readonly string[]): number =>
  keys.reduce((sum, key) => sum + (counts.get(key) ?? 0), 0)

async function submitText({ client, next }: ClientTestBed, coded: CodedText): Promise<number> {
  const n = next()
  await client.submit({ n, to: recipientOf(n), ...coded, octets: encode(coded) })
  return n
}

async function untilDelivered({ client }: ClientTestBed, n: number): Promise<void> {
  await waitFor(
    'its receipt',
    () => {
      const status = client.statusOf(n) ?? 0
      if (status !== 0) throw new Error(`the submit got status ${status}`)
      return client.isDelivered(n)
    },
    within,
  )
}

async function waitForParts({ partsAt }: ClientTestBed, n: number): Promise<readonly string[]> {
  return waitFor(
    'the text at the carrier',
    async () => {
      const parts = await partsAt(recipientOf(n))
      return parts.length > 0 ? parts : null
    },
    within,
  )
}

const textCase =
  (name: keyof typeof codedTexts): ClientCase =>
  async (testBed) => {
    if (testBed.kind.lacks?.includes(name) === true) return 'skipped'
    const coded = codedTexts[name]
    const n = await submitText(testBed, coded)
    assert.equal((await waitForParts(testBed, n)).join(''), coded.text)
    await untilDelivered(testBed, n)
    return undefined
  }

export const clientCases: Readonly<Record<string, ClientCase>> = {
  async bind({ tap, client }) {
    const bindResponses = ['0x80000001', '0x80000002', '0x80000009']
    await waitFor('the bind', () => count(tap.received, ...bindResponses) > 0, within)
    assert.notEqual(client.bound, 0)
    return undefined
  },
  GSM: textCase('GSM'),
  'Latin-1': textCase('Latin-1'),
  'UCS-2': textCase('UCS-2'),
  'EUC-KR': textCase('EUC-KR'),
  async '5 parts'(testBed) {
    const { client, tap, next, partsAt } = testBed
    const [n, before] = [next(), count(tap.received, submitResp)]
    await client.submitLong({ n, to: recipientOf(n), text: longText, parts: cutLongText(n) })
    await waitFor('the five responses', () => count(tap.received, submitResp) === before + 5, within)
    await waitFor('the parts', async () => (await partsAt(recipientOf(n))).length === 5, within)
    assert.equal((await partsAt(recipientOf(n))).join(''), longText)
    await untilDelivered(testBed, n)
    return undefined
  },
  async receipts(testBed) {
    const { tap } = testBed
    const sent: number[] = []
    for (let nth = 0; nth < 5; nth++) sent.push(await submitText(testBed, codedTexts.GSM))
    for (const n of sent) await untilDelivered(testBed, n)
    const deliver = count(tap.received, '0x00000005')
    await waitFor('their responses', () => count(tap.sent, '0x80000005') === deliver, within)
    return undefined
  },
  async throttling(testBed) {
    const { client, tap, limit } = testBed
    const sent: number[] = []
    await limit(1)
    try {
      while (count(tap.received, throttled) === 0 && sent.length < maxFlood) {
        const responses = count(tap.received, submitResp, throttled)
        sent.push(await submitText(testBed, codedTexts.GSM))
        await waitFor('a response', () => count(tap.received, submitResp, throttled) > responses, within)
      }
      assert.ok(count(tap.received, throttled) > 0, 'nothing was throttled')
    } finally {
      await limit(0)
    }
    const last = sent.at(-1)!
    if (testBed.kind.resends === true) {
      // The client retries.
      await waitFor('the throttled message', () => client.isDelivered(last), { timeoutMs: 120_000 })
      return undefined
    }
    await waitFor('the status', () => client.statusOf(last) === 0x58, within)
    await waitFor(
      'the end of the limit',
      async () => {
        const again = await submitText(testBed, codedTexts.GSM)
        await waitFor('its response', () => client.statusOf(again) !== null, within)
        return client.statusOf(again) === 0
      },
      within,
    )
    return undefined
  },
  async enquire_link({ client, tap }) {
    const fromServer = (): number => count(tap.received, '0x00000015')
    const toServer = (): number => count(tap.sent, '0x80000015')
    const answered = toServer()
    await waitFor('a response of the client', () => toServer() > answered, within)
    for (let nth = 0; nth < 2; nth++) {
      const before = count(tap.received, '0x80000015')
      client.enquire()
      await waitFor('a response of the server', () => count(tap.received, '0x80000015') > before, within)
    }
    await waitFor('all responses of the client', () => toServer() === fromServer(), within)
    return undefined
  },
  async reconnect(testBed) {
    const { client, tap } = testBed
    const [binds, connections] = [client.bound, tap.connections]
    tap.cut()
    await waitFor('another connection', () => tap.connections > connections, { timeoutMs: 60_000 })
    await waitFor('the bind', () => binds === null || client.bound! > binds, within)
    await untilDelivered(testBed, await submitText(testBed, codedTexts.GSM))
    return undefined
  },
  async unbind({ client, tap }) {
    await client.unbind()
    await waitFor('its response', () => count(tap.received, '0x80000006') === 1, within)
    assert.deepEqual([count(tap.sent, '0x00000006'), tap.malformed], [1, 0])
    return undefined
  },
}
