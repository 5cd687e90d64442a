/** The connector against independent implementations: node-smpp and Net::SMPP. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { TextPart } from '../../../channels/text/parts.ts'
import { recorded, submission, testConnector } from '../../../../test/support/smpp/fixtures.ts'
import type { SeenSubmit } from '../../../../test/support/smpp/independent-peers.ts'
import { netSmpp, nodeSmpp } from '../../../../test/support/smpp/independent-peers.ts'
import { waitFor } from '../../../../test/support/wait.ts'

const part = (text: string, encoding: TextPart['encoding'], number = 1, parts = 1): TextPart => ({
  kind: 'text',
  text,
  encoding,
  part: number,
  parts,
  concatReference: 0x2a,
})

const texts: [TextPart['encoding'], number, string][] = [
  ['gsm7', 0, 'Your code is 4711 @£$ [€5] {~}'],
  ['gsm7', 0, 'x'.repeat(160)],
  ['ucs2', 8, '인증번호 4711 😀 漢'],
  ['cp949', 14, '인증번호 4711 똠방각하 ①'],
]

for (const [name, open] of [
  ['node-smpp', nodeSmpp],
  ['Net::SMPP', netSmpp],
] as const) {
  suite(`${name} as the carrier`, () => {
    test('binds, sends texts unchanged, gets receipts, is throttled, keeps the link up, and unbinds', async (t) => {
      const peer = await open()
      t.after(() => peer.close())
      const record = recorded()
      const connector = testConnector(peer.port, { enquireIntervalMs: 5, enquireTimeoutMs: 5000 }, record)
      t.after(() => connector.stop())
      const seen = (event: string, count = 1): Promise<boolean> =>
        waitFor(`${count} × ${event} at ${name}`, () => (peer.seen.get(event) ?? 0) >= count)

      // What the peer received may be known only after its response, because Perl writes it to a pipe.
      const submitted = async (count: number): Promise<SeenSubmit[]> => {
        await waitFor(`${count} submissions at ${name}`, () => peer.submits.length >= count)
        return peer.submits.slice(0, count)
      }

      await waitFor('the link', () => connector.linked && peer.binds.length > 0)
      const [bind] = peer.binds
      assert.deepEqual([bind?.systemId, bind?.password, bind?.version], ['postern', 'secret08', 0x34])
      await seen('enquire_link_resp')
      await seen('enquire_link', 3)

      for (const [index, [encoding, dataCoding, text]] of texts.entries()) {
        const outcome = await connector.submit(submission({ part: part(text, encoding) }))
        assert.ok(outcome.kind === 'accepted')
        const lastSubmit = (await submitted(index + 1)).at(-1)
        assert.deepEqual(
          [lastSubmit?.text, lastSubmit?.dataCoding, lastSubmit?.esmClass, lastSubmit?.header],
          [text, dataCoding, 0, ''],
        )
        await waitFor('its receipt', () =>
          record.receipts.some(({ carrierId }) => carrierId === outcome.carrierId),
        )
      }
      await seen('deliver_sm_resp:0', texts.length)
      const [receipt] = record.receipts
      assert.deepEqual(
        [receipt?.result, receipt?.code, receipt?.recipient, receipt?.sender, receipt?.at?.toISOString()],
        ['delivered', 'DELIVRD:000', '01012345678', '0215880000', '2026-03-04T05:06:00.000Z'],
      )

      const halves = ['첫째 부분 ', 'and the second']
      for (const [index, text] of halves.entries()) {
        await connector.submit(submission({ part: part(text, 'ucs2', index + 1, 2) }))
      }
      assert.deepEqual(
        (await submitted(texts.length + 2))
          .slice(-2)
          .map(({ text, esmClass, header }) => [text, esmClass, header]),
        [
          [halves[0], 0x40, '00032a0201'],
          [halves[1], 0x40, '00032a0202'],
        ],
      )

      await connector.submit(submission({ to: '+14155550101', from: 'POSTERN' }))
      const abroad = (await submitted(texts.length + 3)).at(-1)
      assert.deepEqual(
        [
          abroad?.destination,
          abroad?.destinationKind,
          abroad?.source,
          abroad?.sourceKind,
          abroad?.registeredDelivery,
        ],
        ['14155550101', [1, 1], 'POSTERN', [5, 0], 1],
      )

      const throttled = await connector.submit(submission({ to: '01012345672' }))
      assert.deepEqual(throttled, { kind: 'throttled', code: 'smpp:0x00000058', retryAfterMs: 1000 })

      await connector.stop()
      await seen('unbind')
      assert.equal(peer.seen.get('unexpected'), undefined)
      assert.equal(peer.binds.length, 1)
      assert.ok(!record.events.includes('stray-response'))
    })

    test('each submission of a full window gets its own response', async (t) => {
      const peer = await open()
      t.after(() => peer.close())
      const connector = testConnector(peer.port, { window: 50 })
      t.after(() => connector.stop())
      await waitFor('the link', () => connector.linked)
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, (_, at) =>
          connector.submit(submission({ to: `010000000${10 + (at % 10)}` })),
        ),
      )
      const kinds = outcomes.map(({ kind }) => kind)
      assert.equal(kinds.filter((kind) => kind === 'accepted').length, 90)
      assert.equal(kinds.filter((kind) => kind === 'throttled').length, 10)
      assert.ok(kinds.every((kind, at) => (kind === 'throttled') === (at % 10 === 2)))
    })
  })
}
