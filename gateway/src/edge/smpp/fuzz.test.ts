/**
 * Malformed PDUs of clients, in the readers and over live sockets, neither block nor crash the process, and other clients are
 * served. `POSTERN_FUZZ_RUNS` is the number of PDUs of each test, `POSTERN_FUZZ_SEED` repeats a run.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { FuzzedParser, fuzzRuns, fuzzSeed as seed } from '../../../test/support/fuzz.ts'
import { SmppClient } from '../../../test/support/smpp/client.ts'
import { clientPdus, mutated, seeded } from '../../../test/support/smpp/mutate.ts'
import { pduOctets } from '../../../test/support/smpp/peer.ts'
import { withTimeout } from '../../../test/support/wait.ts'
import { decodePdu } from '../../carriers/smpp/codec.ts'
import { Framer } from '../../carriers/smpp/framer.ts'
import { PduError } from '../../carriers/smpp/pdu.ts'
import { ClientSession } from './session/session.ts'
import { joinText, maxParts, parseSubmit } from './submit/submit-request.ts'

const count = fuzzRuns(40_000)
const liveCount = fuzzRuns(3_000)
const maxPduBytes = 8_192
/** Command id of unbind_resp, which shows that a session has survived. */
const unbindResp = '80000006'

test(`${count} malformed PDUs of clients give a request or a refusal, never anything else (seed ${seed})`, () => {
  const random = seeded(seed)
  const parser = new FuzzedParser('smpp-server: frames, PDUs and submits')
  let [requests, refused] = [0, 0]
  let framer = new Framer(maxPduBytes)
  const push = (chunk: Buffer): void => {
    framer.push(chunk)
    try {
      for (let frame = framer.next(); frame !== null; frame = framer.next()) {
        const pdu = decodePdu(frame)
        if (pdu.kind !== 'submit_sm') continue
        const request = parseSubmit(pdu, Date.now())
        if ('status' in request) continue
        requests += 1
        assert.ok(request.segment === null || request.segment.parts <= maxParts)
        assert.ok(joinText([request.body, request.body]).length <= 2 * maxPduBytes)
      }
    } catch (error) {
      if (!(error instanceof PduError)) throw error
      refused += 1
      framer = new Framer(maxPduBytes)
    }
  }
  for (let round = 0; round < count; round += 1) {
    const octets = mutated(random, clientPdus)
    const cut = random(octets.length + 1)
    parser.read(() => {
      push(octets.subarray(0, cut))
      push(octets.subarray(cut))
    })
  }
  parser.end()
  // Both results must occur often, otherwise the test proves nothing.
  assert.ok(requests > count / 50 && refused > count / 20, `${requests} requests, ${refused} refused`)
})

test(`${liveCount} random PDUs get a response or end their session only (seed ${seed})`, async () => {
  const random = seeded(seed)
  const parser = new FuzzedParser('smpp-server: live sessions')
  const limits = {
    bindTimeoutMs: 30_000,
    window: 5,
    deliverWindow: 3,
    responseTimeoutMs: 30_000,
    enquireIntervalMs: 60_000,
    enquireTimeoutMs: 60_000,
    maxPduBytes,
    maxBacklogBytes: 65_536,
  }
  const open = new Set<ClientSession>()
  const server = createServer((socket) => {
    open.add(
      new ClientSession('fuzzed', socket, '127.0.0.1', limits, {
        bind: () => Promise.resolve(0),
        submit: (_session, pdu) => {
          const request = parseSubmit(pdu, Date.now())
          return Promise.resolve({ status: 'status' in request ? request.status : 0, messageId: 'm' })
        },
        isCrowded: () => false,
        onOpen: () => undefined,
        onRoom: () => undefined,
        onClosed: (session) => open.delete(session),
      }),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  let [remainingPdus, survived, ended] = [liveCount, 0, 0]
  const bind = clientPdus[0]!
  const unbind = pduOctets('unbind', 0, 99, {})

  /** A round ends when its connection ends, so a session that hangs fails the test. */
  async function round(): Promise<void> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.on('error', () => undefined)
    const seen = { answer: false }
    socket.on('data', (chunk: Buffer) => (seen.answer ||= chunk.includes(unbindResp, 'hex')))
    await once(socket, 'connect')
    if (random(4) > 0) socket.write(bind)
    for (let pdus = Math.min(remainingPdus, 1 + random(8)); pdus > 0; pdus -= 1) {
      remainingPdus -= 1
      parser.read(() => socket.write(mutated(random, clientPdus)))
    }
    socket.write(unbind)
    // An invalid length may have turned the unbind into the body of another PDU, which then ends with the connection.
    const closed = once(socket, 'close')
    setTimeout(() => socket.end(), 20)
    await withTimeout(`the end of a session (seed ${seed})`, closed, { timeoutMs: 20_000 })
    if (seen.answer) survived += 1
    else ended += 1
  }
  const inTurn = async (): Promise<void> => {
    while (remainingPdus > 0) await round()
  }
  await Promise.all(Array.from({ length: 50 }, inTurn))
  parser.end()
  assert.ok(survived > 0 && ended > 0, `${survived} survived, ${ended} ended`)
  const other = await SmppClient.connect(port)
  assert.equal(await other.bind('other', 'secret08'), 0)
  assert.equal((await other.submit()).status, 0)
  await other.close()
  server.close()
  await once(server, 'close')
  assert.equal(open.size, 0)
})
