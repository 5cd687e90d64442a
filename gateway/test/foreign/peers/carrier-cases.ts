/**
 * Cases of the gateway's SMPP client with every third-party carrier. Each function throws if its case fails.
 */
import assert from 'node:assert/strict'
import { international } from '../../../src/channels/international/international.ts'
import type { TextPart } from '../../../src/channels/text/parts.ts'
import type { Connector, SubmitOutcome } from '../../../src/carriers/connectors/connector.ts'
import { submission, type Recorded } from '../../support/smpp/fixtures.ts'
import { waitFor } from '../../support/wait.ts'
import type { Carrier, CarrierKind, SeenText } from './carriers.ts'
import type { Tap } from './tap.ts'

export interface CarrierTestBed {
  readonly kind: CarrierKind
  readonly carrier: Carrier
  readonly connector: Connector
  readonly record: Recorded
  readonly tap: Tap
}

/** Resolves with `skipped` if the carrier does not support the case. */
export type CarrierCase = (testBed: CarrierTestBed) => Promise<'skipped' | undefined>

const within = { timeoutMs: 15_000, everyMs: 10 }

async function submitText(
  { connector, carrier }: CarrierTestBed,
  text: string,
  encoding: TextPart['encoding'],
): Promise<SeenText> {
  const before = carrier.texts.length
  const part = { kind: 'text', text, encoding, part: 1, parts: 1, concatReference: 0 } as const
  const given = { channel: 'international', from: '0215880000', text } as const
  const outcome = await connector.submit(submission({ part, given }))
  assert.equal(outcome.kind, 'accepted', JSON.stringify(outcome))
  await waitFor('the text at the carrier', () => carrier.texts.length > before, within)
  return carrier.texts[before]!
}

const textCase =
  (text: string, encoding: TextPart['encoding'], dataCoding: number): CarrierCase =>
  async (testBed) => {
    const seen = await submitText(testBed, text, encoding)
    assert.deepEqual([seen.text, seen.dataCoding], [text, dataCoding])
    return undefined
  }

export const carrierCases: Readonly<Record<string, CarrierCase>> = {
  async bind({ connector, tap }) {
    await waitFor('the link', () => connector.linked, within)
    assert.deepEqual([tap.sent.get('0x00000009'), tap.received.get('0x80000009')], [1, 1])
    return undefined
  },
  GSM: textCase('Your code is 4711 @£$ [€5] {~}', 'gsm7', 0),
  'Latin-1': textCase('Curaçao ï õ', 'ucs2', 3),
  'UCS-2': textCase('인증번호 4711 😀 漢', 'ucs2', 8),
  'EUC-KR': textCase('인증번호 4711 똠방각하 ①', 'cp949', 14),
  async '5 parts'({ connector, carrier }) {
    const text = 'All the parts of a long text arrive with one reference. '.repeat(14).slice(0, 760)
    const given = { channel: 'international', from: '0215880000', text } as const
    const parts = international.parts(given, 'seed')
    assert.equal(parts.length, 5)
    const before = carrier.texts.length
    const outcomes = await Promise.all(parts.map((part) => connector.submit(submission({ part, given }))))
    assert.ok(outcomes.every(({ kind }) => kind === 'accepted'))
    await waitFor('the parts at the carrier', () => carrier.texts.length >= before + 5, within)
    const seen = carrier.texts.slice(before).toSorted((left, right) => (left.header < right.header ? -1 : 1))
    assert.equal(seen.map((part) => part.text).join(''), text)
    assert.ok(seen.every(({ header, esmClass }) => /^0003..05/.test(header) && esmClass === 0x40))
    return undefined
  },
  async receipts({ connector, record }) {
    const outcome = await connector.submit(submission())
    assert.ok(outcome.kind === 'accepted')
    // jsmpp sends the id in hexadecimal in its response and in decimal in the receipt.
    const spellings = [outcome.carrierId, String(parseInt(outcome.carrierId, 16))]
    await waitFor(
      'its receipt',
      () => record.receipts.some(({ carrierId }) => spellings.includes(carrierId ?? '')),
      within,
    )
    const receipt = record.receipts.find(({ carrierId }) => spellings.includes(carrierId ?? ''))!
    assert.deepEqual([receipt.result, receipt.code], ['delivered', 'DELIVRD:000'])
    return undefined
  },
  async replies({ kind, connector, record: { replies } }) {
    if (!kind.replies) return 'skipped'
    await connector.submit(submission({ to: '01012345673' }))
    await waitFor('the reply', () => replies.length > 0, within)
    assert.match(replies[0]!.text!.replace(/^\W+/, ''), /^hello from/)
    assert.deepEqual(replies[0]!.to, [{ kind: 'number', value: '0215880000' }])
    return undefined
  },
  async throttling({ connector, carrier }) {
    await carrier.limit?.(1)
    // One submission within the limit.
    if (carrier.limit !== undefined) await connector.submit(submission())
    const outcome: SubmitOutcome = await connector.submit(submission({ to: '01012345672' }))
    await carrier.limit?.(null)
    assert.deepEqual(outcome, { kind: 'throttled', code: 'smpp:0x00000058', retryAfterMs: 1000 })
    return undefined
  },
  async enquire_link({ connector, tap }) {
    await waitFor('three responses', () => (tap.received.get('0x80000015') ?? 0) >= 3, within)
    assert.ok(connector.linked)
    return undefined
  },
  async reconnect({ connector, tap, record }) {
    const before = record.links.length
    tap.cut()
    await waitFor('the link to be lost', () => record.links.length > before, within)
    await waitFor('the link', () => connector.linked, within)
    assert.equal((await connector.submit(submission())).kind, 'accepted')
    return undefined
  },
  async unbind({ connector, tap }) {
    await connector.stop()
    await waitFor('its response', () => (tap.received.get('0x80000006') ?? 0) === 1, within)
    assert.deepEqual([tap.sent.get('0x00000006'), tap.malformed], [1, 0])
    return undefined
  },
}
