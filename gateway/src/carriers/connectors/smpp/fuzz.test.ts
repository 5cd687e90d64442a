/**
 * Malformed PDUs, in the decoder and over live sockets, neither block nor crash the process. `POSTERN_FUZZ_RUNS` is the
 * number of inputs of the decoder, `POSTERN_FUZZ_SEED` repeats a run.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodePdu } from '../../smpp/codec.ts'
import { Framer } from '../../smpp/framer.ts'
import { PduError } from '../../smpp/pdu.ts'
import { isReceipt, receiptReader } from './receipt.ts'
import { replyReader } from './reply.ts'
import { maxReceiptText } from './receipt-text.ts'
import { FuzzedParser, fuzzRuns, fuzzSeed as seed, mutateOctets } from '../../../../test/support/fuzz.ts'
import {
  deliverBody,
  recorded,
  submission,
  testConnector,
  testOptions,
} from '../../../../test/support/smpp/fixtures.ts'
import { mutated, mutatedDelivery, seeded } from '../../../../test/support/smpp/mutate.ts'
import type { PeerSession, Script } from '../../../../test/support/smpp/peer.ts'
import { listen } from '../../../../test/support/smpp/peer.ts'
import { accept, linkedCarrier } from '../../../../test/support/smpp/linked-carrier.ts'
import { waitFor } from '../../../../test/support/wait.ts'

const count = fuzzRuns(120_000)

test(`${count} malformed PDUs give a PDU or a PduError, never anything else (seed ${seed})`, () => {
  const random = seeded(seed)
  const readReceipt = receiptReader(testOptions())
  const readReply = replyReader(testOptions())
  const parser = new FuzzedParser('smpp: frames, PDUs, receipts and replies')
  let pdus = 0
  let refused = 0
  let framer = new Framer(16_384)
  const push = (chunk: Buffer): void => {
    framer.push(chunk)
    try {
      for (let frame = framer.next(); frame !== null; frame = framer.next()) {
        assert.ok(frame.length >= 16 && frame.length <= 16_384)
        const pdu = decodePdu(frame)
        pdus += 1
        if (pdu.kind !== 'deliver_sm' && pdu.kind !== 'data_sm') continue
        if (isReceipt(pdu)) readReceipt(pdu)
        else readReply(pdu)
      }
    } catch (error) {
      if (!(error instanceof PduError)) throw error
      refused += 1
      framer = new Framer(16_384)
    }
  }
  for (let round = 0; round < count; round += 1) {
    const octets = mutated(random)
    const cut = random(octets.length + 1)
    parser.read(() => {
      push(octets.subarray(0, cut))
      push(octets.subarray(cut))
    })
  }
  parser.end()
  // Both results must occur often, otherwise the test proves nothing.
  assert.ok(pdus > count / 12 && refused > count / 12, `${pdus} PDUs, ${refused} refused`)
})

const receiptPieces = [
  'id:',
  ' stat:',
  'DELIVRD',
  ' err:',
  'done date:',
  ' text:',
  '\0',
  ' sub:001',
  'ENROUTE',
  '\xff',
]
const results: readonly string[] = ['delivered', 'failed', 'pending']

const receiptCount = fuzzRuns(40_000)

test(`${receiptCount} mutated receipts are read within bounds (seed ${seed})`, () => {
  const random = seeded(seed)
  const readReceipt = receiptReader(testOptions())
  const parser = new FuzzedParser('smpp: texts and parameters of receipts')
  const sample = Buffer.from(
    'id:6f1c2a3e sub:001 dlvrd:001 submit date:2603041405 done date:2603041406 stat:DELIVRD err:000 text:Hi',
  )
  let withId = 0
  for (let round = 0; round < receiptCount; round += 1) {
    const shortMessage = mutateOctets(random, sample, receiptPieces).subarray(0, 254)
    const parameters = [
      { tag: 0x001e, value: mutateOctets(random, Buffer.from('6f1c2a3e\0'), receiptPieces) },
      { tag: 0x0427, value: Buffer.from([random(256)]) },
      { tag: 0x0423, value: mutateOctets(random, Buffer.of(3, 0, 1), receiptPieces) },
    ]
    const body = {
      ...deliverBody({ esmClass: random(256), dataCoding: random(16), shortMessage }),
      tlvs: parameters.filter(() => random(3) === 0),
    }
    const receipt = parser.read(() =>
      readReceipt({ kind: 'deliver_sm', commandStatus: 0, sequence: 1, ...body }),
    )
    assert.ok(results.includes(receipt.result) && receipt.code.length <= 2 * maxReceiptText)
    assert.ok(receipt.at === null || !Number.isNaN(receipt.at.getTime()))
    if (receipt.carrierId !== null) withId += 1
  }
  parser.end()
  assert.ok(withId > receiptCount / 4, `${withId} with an id`)
})

test(`a session responds or ends on random input, and reconnects (seed ${seed})`, async (context) => {
  const random = seeded(seed)
  const rounds = 2000
  let begun = 0
  let survived = 0
  let ended = 0
  const marker = 0x7abcdef0

  const sendMalformed = (peer: PeerSession): void => {
    begun += 1
    for (let count = 1 + random(5); count > 0; count -= 1) peer.raw(mutated(random))
    peer.send('enquire_link', 0, marker, {})
    // Repeated, because an invalid length may turn the enquire_link into the body of another PDU while the session is
    // still alive. A stalled session responds to none of them.
    const repeat = setInterval(() => peer.send('enquire_link', 0, marker, {}), 50)
    peer.socket.once('close', () => {
      clearInterval(repeat)
      ended += 1
    })
  }
  const script: Script = {
    bind_transceiver: (pdu, peer) => {
      peer.send('bind_transceiver_resp', 0, pdu.sequence, { systemId: 'peer' })
      if (begun < rounds) sendMalformed(peer)
    },
    enquire_link_resp: (pdu, peer) => {
      if (pdu.sequence !== marker) return
      survived += 1
      peer.socket.destroy()
    },
    submit_sm: (pdu, peer) => peer.send('submit_sm_resp', 0, pdu.sequence, { messageId: 'alive' }),
  }
  const peer = await listen(script)
  const connector = testConnector(
    peer.port,
    { sessions: 8, reconnectMinMs: 1, reconnectMaxMs: 2, enquireIntervalMs: 20, enquireTimeoutMs: 20 },
    recorded(),
  )
  // Also after a failure: an open link would keep the test process running.
  context.after(async () => {
    await connector.stop()
    await peer.close()
  })
  await waitFor(`the end of ${rounds} rounds (seed ${seed})`, () => begun === rounds && ended === rounds, {
    timeoutMs: 30_000,
  })
  assert.ok(survived > 0 && survived < rounds, `${survived} of ${rounds} survived`)
  // On a busy machine a session may end again: it waits 20 ms for the response to its enquire_link.
  await waitFor('an accepted message after all that', async () => {
    const outcome = await connector.submit(submission())
    return outcome.kind === 'accepted' && outcome.carrierId === 'alive'
  })
})

const deliveryCount = fuzzRuns(5_000)

test(`${deliveryCount} mutated deliveries get one response each and cost no submission (seed ${seed})`, async (t) => {
  const random = seeded(seed)
  const parser = new FuzzedParser('smpp: deliveries on a live link')
  const { connector, session, peer, record } = await linkedCarrier(t, accept)
  const responses = (): number => session.of('deliver_sm_resp').length + session.of('data_sm_resp').length
  let sent = 0
  while (sent < deliveryCount) {
    const outcome = connector.submit(submission())
    for (let n = 0; n < 100; n += 1, sent += 1) parser.read(() => session.raw(mutatedDelivery(random)))
    session.send('deliver_sm', 0, 1, deliverBody({}, `id:valid-${sent} stat:DELIVRD err:000`))
    assert.deepEqual(await outcome, { kind: 'accepted', carrierId: 'x' })
    const valid = `valid-${sent}`
    await waitFor('the valid receipt', () => record.receipts.some(({ carrierId }) => carrierId === valid))
    await waitFor('a response to each', () => responses() === 101)
    session.received.length = 0
    record.receipts.length = 0
  }
  parser.end()
  assert.equal(peer.sessions.length, 1)
  assert.ok(record.events.includes('malformed-pdu'))
})
