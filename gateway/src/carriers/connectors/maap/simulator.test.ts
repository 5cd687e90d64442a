/**
 * The simulated hosts choose their behaviour by the ending (last four digits) of the recipient. Tests the outcomes and the
 * receipts of every ending, at the carriers and over the relay of KT.
 */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { behaviours } from '../../../../../simulator/src/maap/behaviours.ts'
import { rcsSubmission } from '../../../../test/support/carriers/maap.ts'
import { image, openMaapStage } from '../../../../test/support/carriers/maap-simulator.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import type { Receipt } from '../connector.ts'

type PerKind = readonly [carriers: string, relay: string]
interface Expected {
  /** Outcomes of consecutive submissions with the same reference, as dispatch repeats them. */
  readonly outcomes: PerKind
  readonly receipts: PerKind
}

const row = (outcomes: string | PerKind, receipts: string | PerKind = ''): Expected => ({
  outcomes: typeof outcomes === 'string' ? [outcomes, outcomes] : outcomes,
  receipts: typeof receipts === 'string' ? [receipts, receipts] : receipts,
})

/** Has a separate test with a short time limit. */
const neverAnswered = '0018'

const throttledFiveTimes = `${'throttled '.repeat(5)}accepted`

const endings: Readonly<Record<string, Expected>> = {
  '0001': row('accepted', 'delivered'),
  '0002': row('accepted', 'unsupported'),
  '0003': row('accepted'),
  '0004': row('accepted', 'delivered delivered'),
  '0005': row('accepted', 'delivered'),
  '0006': row('accepted', 'timeout'),
  '0007': row('accepted', ['refused', 'spam']),
  '0008': row('bad-number'),
  '0009': row('throttled accepted', 'delivered'),
  '0010': row(throttledFiveTimes, 'delivered'),
  '0011': row('accepted', 'delivered'),
  '0012': row('unknown accepted', 'delivered'),
  '0013': row('unknown unknown'),
  '0015': row('accepted', 'delivered'),
  '0016': row('accepted', 'phone-off'),
  '0017': row('unknown accepted', 'delivered'),
  '0019': row('accepted', 'outcome-unknown'),
  '0020': row('accepted', 'outcome-unknown'),
  '0021': row('accepted', 'outcome-unknown'),
  '0022': row('accepted', 'outcome-unknown'),
  '0023': row('accepted', 'outcome-unknown delivered'),
  '0024': row('accepted', 'delivered'),
  '0051': row('refused'),
  '0052': row('unregistered-sender'),
  '0053': row('unknown unknown'),
  '0054': row('unknown accepted', 'delivered'),
  '0055': row('unknown accepted', 'delivered'),
  '0056': row(['unreachable', 'refused']),
  '0057': row('refused'),
  '0058': row('accepted', 'delivered'),
  '0059': row('accepted'),
  '0060': row('unreachable'),
  '0061': row('accepted', 'delivered'),
  '0062': row('accepted', 'delivered'),
  '0063': row('accepted', 'delivered'),
  '0064': row('accepted', 'temporary-failure'),
  '0071': row('accepted', 'delivered'),
  '0072': row('accepted', 'delivered'),
  '0073': row('accepted', 'delivered'),
  '0074': row('accepted', 'delivered'),
  '0075': row('accepted', 'delivered'),
}

test('every ending is listed', () => {
  const listed = [...Object.keys(endings), neverAnswered].toSorted()
  assert.deepEqual(
    listed,
    behaviours.map(({ ending }) => ending),
  )
})

suite('every ending has its outcome and its receipts', { concurrency: true }, () => {
  for (const [index, kind] of (['maap', 'maap-kt'] as const).entries())
    test(kind, async (t) => {
      const openFile = (key: string) =>
        Promise.resolve({ key, bytes: image('a'), contentType: 'image/png', name: 'a.png' })
      const { connector, record, hosts } = await openMaapStage(t, {
        kind,
        simulator: { appendCarrier: kind === 'maap' },
        context: { openFile },
      })
      const carriers = new Map<string, string>()
      await Promise.all(
        Object.entries(endings).map(async ([ending, { outcomes }]) => {
          const seen: string[] = []
          const submission = withImage(ending)
          for (let nth = 0; nth < outcomes[index]!.split(' ').length; nth++) {
            const outcome = await connector.submit(submission)
            seen.push(outcome.kind === 'refused' ? outcome.cause : outcome.kind)
            if (outcome.kind === 'accepted') {
              assert.equal(outcome.carrierId, submission.reference)
              carriers.set(ending, outcome.carrier ?? '')
            }
          }
          assert.equal(seen.join(' '), outcomes[index], ending)
        }),
      )
      const receiptsOf = (ending: string): Receipt[] =>
        record.receipts.filter(({ recipient }) => recipient.endsWith(ending))
      for (const [ending, expected] of Object.entries(endings)) {
        const causes = expected.receipts[index]!.split(' ').filter(Boolean)
        await waitFor(
          `${ending} to have ${causes.length} receipts`,
          () => receiptsOf(ending).length === causes.length,
        )
        assert.deepEqual(
          receiptsOf(ending).map(({ cause }) => cause),
          causes,
          ending,
        )
        for (const { reference, at, sender } of receiptsOf(ending))
          assert.deepEqual([reference, sender, typeof at], [referenceOf(ending), '15881588', 'object'])
      }
      // The carrier of a ported number is found, and its status names it.
      for (const [ending, code] of Object.entries({ '0061': '10001', '0062': '10002', '0063': '10003' })) {
        if (kind === 'maap') assert.equal(carriers.get(ending), code)
        assert.equal(receiptsOf(ending)[0]!.carrier, code)
      }
      const count = (event: string): number => record.events.filter((name) => name === event).length
      await waitFor('the replies', () => count('reply') + count('new-user') === 5)
      assert.equal(count('new-user'), 1)
      assert.equal(count('warning'), 1)
      assert.equal(count('not-subscriber'), kind === 'maap' ? 3 : 0)
      // Once to each host, although dozens of messages have the image; after 0058 with a new token.
      assert.equal(count('file-uploaded'), hosts.size)
      assert.equal(count('token-renewed'), hosts.size + 1)
      for (const host of hosts.values()) assert.equal(host.stats().errors, 0)
    })
})

for (const kind of ['maap', 'maap-kt'] as const)
  test(`${kind}: accepts the repeat of an unanswered message and delivers it once`, async (t) => {
    const { connector, record } = await openMaapStage(t, { kind, options: { responseTimeoutMs: 500 } })
    const submission = rcsSubmission(sms(neverAnswered), { reference: referenceOf(neverAnswered) })
    assert.equal((await connector.submit(submission)).kind, 'unknown')
    await waitFor('the repeat', async () => (await connector.submit(submission)).kind === 'accepted')
    await waitFor('the status', () => record.receipts.length === 1)
    assert.equal(record.receipts[0]!.reference, submission.reference)
  })

test('a not-subscriber status ends the step', async (t) => {
  const { connector, record } = await openMaapStage(t, {
    kind: 'maap',
    options: { portability: 'status', order: ['lgu', 'skt'] },
    simulator: { missBy: 'status' },
  })
  const outcome = await connector.submit(rcsSubmission(sms('0061'), { reference: referenceOf('0061') }))
  assert.ok(outcome.kind === 'accepted' && outcome.carrier === '10003')
  await waitFor('the status', () => record.receipts.length === 1)
  assert.equal(record.receipts[0]!.cause, 'no-subscriber')
  assert.equal(record.receipts[0]!.code, '54001')
})

const referenceOf = (ending: string): string => `20261115000000000C00A0000000${ending}-1-1-1`

const sms = (ending: string) => ({
  from: '15881588',
  to: `0101234${ending}`,
  formatId: 'SS000000',
  brandKey: 'BK.brand',
  content: { standalone: { text: '안녕하세요' } },
})

function withImage(ending: string) {
  const standalone = { title: '제목', text: '안녕하세요', media: 'maapfile://abc' }
  return rcsSubmission(
    { ...sms(ending), formatId: 'SMwThM00', content: { standalone } },
    { reference: referenceOf(ending) },
  )
}
