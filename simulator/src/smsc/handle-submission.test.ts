import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startSmsc } from '../smsc.ts'
import type { Smsc } from '../smsc.ts'
import { connectPeer, until } from '../testing/peer.ts'
import type { Peer, ReceivedReceipt } from '../testing/peer.ts'
import { esme } from '../smpp/protocol.ts'
import { behaviours } from './behaviours.ts'

let smsc: Smsc
let peer: Peer
const covered = new Set<string>()

before(async () => {
  smsc = await startSmsc({ slowMs: 60, lateMs: 60, earlyMs: 2000, record: true, seed: 1 })
})

after(async () => {
  await smsc.close()
  assert.deepEqual(
    behaviours.map(({ ending }) => ending).filter((ending) => !covered.has(ending)),
    [],
    'behaviours without a test',
  )
})

beforeEach(async () => {
  smsc.disconnect()
  smsc.reset()
  peer = await connectPeer(smsc.port)
})

/** Returns a number with this ending and marks the behaviour as covered. */
function number(ending: string): string {
  covered.add(ending)
  return `82101234${ending}`
}

async function waitForReceipts(count: number, from: Peer = peer): Promise<ReceivedReceipt[]> {
  await until(() => from.receipts.length >= count, `${count} receipts`)
  return from.receipts
}

/** Receipts are sent in order: once a later message has its receipt, an earlier one would have its own. */
async function assertNoReceiptFrom(to: string, from: Peer = peer): Promise<void> {
  await from.submit('821099999999', 'the message after')
  await until(() => from.receipts.some((receipt) => receipt.from === '821099999999'), 'the receipt after')
  assert.equal(from.receipts.filter((receipt) => receipt.from === to).length, 0)
}

const finals: [ending: string, state: string, error: string, tlvState: number][] = [
  ['0001', 'DELIVRD', '000', 2],
  ['0002', 'UNDELIV', '001', 5],
  ['0006', 'EXPIRED', '000', 3],
  ['0007', 'REJECTD', '006', 8],
  ['0016', 'UNDELIV', '003', 5],
  ['0019', 'DELETED', '000', 4],
  ['0020', 'UNKNOWN', '000', 7],
  ['5678', 'DELIVRD', '000', 2],
]
for (const [ending, state, error, tlvState] of finals) {
  test(`…${ending} is accepted and then gets a receipt ${state} with error ${error}`, async () => {
    const response = await peer.submit(number(ending), 'hello')
    assert.equal(response.command_status, esme.ROK)
    const [receipt, ...others] = await waitForReceipts(1)
    assert.deepEqual(
      { ...receipt, text: '' },
      {
        command: 'deliver_sm',
        esmClass: 0x04,
        from: number(ending),
        to: '0215881588',
        text: '',
        id: response.message_id,
        state,
        error,
        tlvId: response.message_id,
        tlvState,
      },
    )
    assert.match(
      receipt!.text,
      /^id:\S+ sub:001 dlvrd:00[01] submit date:\d{10} done date:\d{10} stat:\w{7} err:\d{3} text:hello$/,
    )
    assert.deepEqual(others, [])
    assert.ok(peer.arrivals.indexOf('submit_sm_resp') < peer.arrivals.indexOf('deliver_sm'))
  })
}

test('…0003 is accepted and never gets a receipt', async () => {
  const response = await peer.submit(number('0003'), 'hello')
  assert.equal(response.command_status, esme.ROK)
  await assertNoReceiptFrom(number('0003'))
})

test('…0004 gets its receipt twice', async () => {
  const response = await peer.submit(number('0004'), 'hello')
  const receipts = await waitForReceipts(2)
  assert.deepEqual(
    receipts.map(({ id }) => id),
    [response.message_id, response.message_id],
  )
})

test('…0005 gets its receipt before the response, which waits for the answer', async () => {
  const response = await peer.submit(number('0005'), 'hello')
  assert.equal(peer.receipts[0]?.id, response.message_id)
  assert.ok(peer.arrivals.indexOf('deliver_sm') < peer.arrivals.indexOf('submit_sm_resp'))
})

test('…0008 is refused at every submit', async () => {
  for (let round = 0; round < 3; round++) {
    const response = await peer.submit(number('0008'), 'hello')
    assert.equal(response.command_status, esme.RINVDSTADR)
  }
  assert.equal(smsc.stats().refused, 3)
})

const refusedFirst: [ending: string, commandStatus: number, tries: number][] = [
  ['0009', esme.RTHROTTLED, 1],
  ['0010', esme.RTHROTTLED, 5],
  ['0017', esme.RSYSERR, 1],
]
for (const [ending, commandStatus, tries] of refusedFirst) {
  test(`…${ending} is refused ${tries} times for each text, then delivered`, async () => {
    const refusals: number[] = []
    for (let round = 0; round < tries; round++) {
      refusals.push((await peer.submit(number(ending), 'one')).command_status)
      refusals.push((await peer.submit(number(ending), 'two')).command_status)
    }
    assert.deepEqual(refusals, Array(tries * 2).fill(commandStatus))
    const response = await peer.submit(number(ending), 'one')
    assert.equal(response.command_status, esme.ROK)
    const [receipt] = await waitForReceipts(1)
    assert.equal(receipt?.id, response.message_id)
    assert.equal(receipt?.state, 'DELIVRD')
  })
}

test('…0011 is answered only after its delay, and then delivered', async () => {
  const began = performance.now()
  const slow = peer.submit(number('0011'), 'hello')
  const quick = peer.submit('821012345678', 'hello')
  const [first] = await Promise.race([slow.then(() => ['slow']), quick.then(() => ['quick'])])
  assert.equal(first, 'quick')
  const response = await slow
  assert.ok(performance.now() - began >= 60)
  const receipts = await waitForReceipts(2)
  assert.equal(receipts[1]?.id, response.message_id)
})

test('…0012 closes the session after accepting; the receipt goes to the next session', async () => {
  const earlier = peer.submit('821012345678', 'answered before the close')
  void peer.submit(number('0012'), 'hello')
  await peer.closed
  assert.equal((await earlier).command_status, esme.ROK)
  assert.equal(peer.arrivals.filter((arrival) => arrival === 'submit_sm_resp').length, 1)
  const next = await connectPeer(smsc.port)
  await until(() => next.receipts.some(({ from }) => from === number('0012')), 'the receipt')
  const { id } = smsc.submissions(number('0012'))[0]!
  assert.equal(next.receipts.find(({ from }) => from === number('0012'))?.id, id)
})

test('…0013 closes the session without accepting the message', async () => {
  void peer.submit(number('0013'), 'hello')
  await peer.closed
  const next = await connectPeer(smsc.port)
  await assertNoReceiptFrom(number('0013'), next)
  assert.deepEqual(smsc.submissions(number('0013')), [])
  assert.equal(smsc.stats().abandoned, 1)
})

test('…0014 gets a receipt ENROUTE, then DELIVRD', async () => {
  const response = await peer.submit(number('0014'), 'hello')
  const receipts = await waitForReceipts(2)
  assert.deepEqual(
    receipts.map(({ id, esmClass, state, tlvState }) => ({ id, esmClass, state, tlvState })),
    [
      { id: response.message_id, esmClass: 0x20, state: 'ENROUTE', tlvState: 1 },
      { id: response.message_id, esmClass: 0x04, state: 'DELIVRD', tlvState: 2 },
    ],
  )
})

test('…0015 gets its receipt late, after messages sent later', async () => {
  const began = performance.now()
  await peer.submit(number('0015'), 'hello')
  await peer.submit('821012345678', 'hello')
  const receipts = await waitForReceipts(2)
  assert.ok(performance.now() - began >= 60)
  assert.equal(receipts[1]?.from, number('0015'))
})

test('…0018 is never answered, but gets its receipt', async () => {
  void peer.submit(number('0018'), 'hello')
  await waitForReceipts(1)
  await peer.submit('821012345678', 'hello')
  assert.equal(peer.arrivals.filter((arrival) => arrival === 'submit_sm_resp').length, 1)
  assert.equal(peer.receipts[0]?.id, smsc.submissions(number('0018'))[0]?.id)
})

test('…0021 gets a receipt without text', async () => {
  const response = await peer.submit(number('0021'), 'hello')
  const [receipt] = await waitForReceipts(1)
  assert.equal(receipt?.text, '')
  assert.equal(receipt.tlvId, response.message_id)
  assert.equal(receipt.tlvState, 2)
})

test('…0022 gets its receipt as data_sm, once', async () => {
  const response = await peer.submit(number('0022'), 'hello')
  const [receipt] = await waitForReceipts(1)
  assert.equal(receipt?.command, 'data_sm')
  assert.equal(receipt.esmClass, 0x04)
  assert.equal(receipt.id, response.message_id)
  assert.equal(receipt.tlvId, response.message_id)
  await until(() => smsc.stats().receiptsPending === 0, 'its answer')
})

const idFormats: [ending: string, isSame: (response: string, receipt: string) => boolean][] = [
  ['0031', (response, receipt) => /^\d+$/.test(receipt) && BigInt(`0x${response}`) === BigInt(receipt)],
  ['0032', (response, receipt) => /^\d+$/.test(response) && BigInt(response) === BigInt(`0x${receipt}`)],
  ['0033', (response, receipt) => response !== receipt && response.toUpperCase() === receipt],
  ['0034', (response, receipt) => receipt === `000${response}`],
  ['0035', (response, receipt) => response === `000${receipt}`],
  ['0036', (response, receipt) => response === receipt && /^[0-9a-f-]{36}$/.test(receipt)],
]
for (const [ending, isSame] of idFormats) {
  test(`…${ending} formats its id as the table states`, async () => {
    const response = await peer.submit(number(ending), 'hello')
    const [receipt] = await waitForReceipts(1)
    assert.ok(isSame(response.message_id!, receipt!.id!), `${response.message_id} and ${receipt?.id}`)
    assert.equal(receipt?.tlvId, undefined)
  })
}

async function submitParts(to: string, order: readonly number[]): Promise<Map<string, number>> {
  const responses = await Promise.all(
    order.map((sequence) => {
      const udh = Buffer.from([5, 0, 3, 77, order.length, sequence])
      return peer.submit(to, '', { short_message: { udh, message: `part ${sequence}` } })
    }),
  )
  return new Map(responses.map((response, index) => [response.message_id!, order[index]!]))
}

test('…0041 fails only in part 2, each part under its own id', async () => {
  const parts = await submitParts(number('0041'), [1, 2, 3])
  const receipts = await waitForReceipts(3)
  assert.deepEqual(
    receipts.map(({ id, state, error }) => [parts.get(id!), state, error]),
    [
      [1, 'DELIVRD', '000'],
      [2, 'UNDELIV', '001'],
      [3, 'DELIVRD', '000'],
    ],
  )
})

test('…0042 gets its receipts in reverse order, for any order of the parts', async () => {
  const parts = await submitParts(number('0042'), [1, 3, 2])
  const receipts = await waitForReceipts(3)
  assert.deepEqual(
    receipts.map(({ id }) => parts.get(id!)),
    [3, 2, 1],
  )
})

test('sends only the receipts requested by registered_delivery', async () => {
  await peer.submit(number('0001'), 'no receipt', { registered_delivery: 0 })
  await peer.submit(number('0001'), 'on failure, but it succeeds', { registered_delivery: 2 })
  await assertNoReceiptFrom(number('0001'))
  await peer.submit(number('0002'), 'on failure', { registered_delivery: 2 })
  await until(() => peer.receipts.some(({ from }) => from === number('0002')), 'the failure')
  await until(() => smsc.stats().receiptsPending === 0, 'the answers')
})

test('accepts a message by data_sm as by submit_sm', async () => {
  const response = await peer.request('data_sm', {
    source_addr: '0215881588',
    destination_addr: number('0001'),
    registered_delivery: 1,
    message_payload: { message: 'a long text '.repeat(40) },
    data_coding: 0,
  })
  assert.equal(response.command, 'data_sm_resp')
  const [receipt] = await waitForReceipts(1)
  assert.equal(receipt?.id, response.message_id)
  assert.equal(smsc.submissions()[0]?.text, 'a long text '.repeat(40))
})
