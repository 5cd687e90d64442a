import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { SmppClient, submitBody } from '../../../../test/support/smpp/client.ts'
import { pduOctets } from '../../../../test/support/smpp/peer.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import { statuses } from '../../../carriers/smpp/status.ts'
import { ClientSession, type SessionHooks, type SessionLimits } from './session.ts'

const limits: SessionLimits = {
  bindTimeoutMs: 2_000,
  window: 5,
  deliverWindow: 3,
  responseTimeoutMs: 2_000,
  enquireIntervalMs: 60_000,
  enquireTimeoutMs: 60_000,
  maxPduBytes: 8_192,
  maxBacklogBytes: 65_536,
}

async function listen(hooks: Partial<SessionHooks> = {}, changed: Partial<SessionLimits> = {}) {
  const sessions: ClientSession[] = []
  const closed: string[] = []
  let submits = 0
  const server = createServer((socket) => {
    sessions.push(
      new ClientSession(
        `s${sessions.length}`,
        socket,
        '127.0.0.1',
        { ...limits, ...changed },
        {
          bind: () => Promise.resolve(statuses.ESME_ROK),
          submit: () => Promise.resolve({ status: 0, messageId: `m${++submits}` }),
          isCrowded: () => false,
          onOpen: () => undefined,
          onRoom: () => undefined,
          onClosed: (_session, reason) => closed.push(reason),
          ...hooks,
        },
      ),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  addCleanup(() => void server.close())
  return { port: (server.address() as AddressInfo).port, sessions, closed }
}

test('every request gets one response of its kind and number, in any order of requests', async () => {
  const { port } = await listen()
  type Step = 'bind_transmitter' | 'bind_receiver' | 'bind_transceiver' | 'submit_sm' | 'enquire_link'
  const step = fc.constantFrom<Step>(
    'bind_transmitter',
    'bind_receiver',
    'bind_transceiver',
    'submit_sm',
    'enquire_link',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const client = await SmppClient.connect(port)
      let bound: Step | null = null
      for (const kind of steps) {
        const body = {
          systemId: 'a',
          password: 'b',
          systemType: '',
          interfaceVersion: 0x34,
          addrTon: 0,
          addrNpi: 0,
          ...submitBody(),
          addressRange: '',
        }
        const { kind: answered, commandStatus } = await client.request(kind, body)
        assert.equal(answered, `${kind}_resp`)
        if (kind === 'enquire_link') assert.equal(commandStatus, 0)
        else if (kind === 'submit_sm')
          assert.equal(
            commandStatus,
            bound === null || bound === 'bind_receiver' ? statuses.ESME_RINVBNDSTS : 0,
          )
        else {
          assert.equal(commandStatus, bound === null ? 0 : statuses.ESME_RALYBND)
          bound ??= kind
        }
      }
      await client.close()
    }),
    { numRuns: 60 },
  )
})

test('a bind whose window is full is not read, while other binds are', async () => {
  const open: (() => void)[] = []
  const { port } = await listen({
    submit: (session) =>
      session.id === 's0'
        ? new Promise((resolve) => open.push(() => resolve({ status: 0, messageId: 'm' })))
        : Promise.resolve({ status: 0, messageId: 'n' }),
  })
  const [slow, quick] = [await SmppClient.connect(port), await SmppClient.connect(port)]
  addCleanup(() => Promise.all([slow.close(), quick.close()]))
  await slow.bind('a', 'b')
  await quick.bind('a', 'b')
  const answers = Promise.all(Array.from({ length: 20 }, () => slow.submit()))
  await waitFor('a full window', () => open.length === limits.window)
  for (let n = 0; n < 50; n++) assert.equal((await quick.submit()).status, 0)
  assert.equal(open.length, limits.window)
  const answering = setInterval(() => open.shift()?.(), 1)
  assert.deepEqual(new Set((await answers).map(({ status }) => status)), new Set([0]))
  clearInterval(answering)
})

test('deliveries keep to their window and are settled once: by a response, a timeout or the end', async () => {
  const { port, sessions } = await listen({}, { responseTimeoutMs: 50 })
  const client = await SmppClient.connect(port)
  await client.bind('a', 'b')
  const [session] = sessions
  client.answer = () => null
  const settled: string[] = []
  const deliver = () => session!.deliver(submitBody(), (answer) => settled.push(answer.kind))
  for (let n = 0; n < limits.deliverWindow; n++) deliver()
  assert.equal(session!.free, 0)
  await waitFor('the timeouts', () => settled.length === limits.deliverWindow)
  assert.deepEqual(new Set(settled), new Set(['timeout']))
  client.answer = () => statuses.ESME_RX_P_APPN
  deliver()
  await waitFor('the answer', () => settled.at(-1) === 'response')
  client.answer = () => null
  deliver()
  await client.close()
  await waitFor('the end', () => settled.at(-1) === 'lost')
})

test('clients without bind or enquire_link response are disconnected', async () => {
  const { port, closed } = await listen(
    {},
    { bindTimeoutMs: 50, enquireIntervalMs: 50, enquireTimeoutMs: 50 },
  )
  const silent = await SmppClient.connect(port)
  await waitFor('the end', () => silent.closed)
  const socket = connect({ host: '127.0.0.1', port })
  await once(socket, 'connect')
  const bind = { systemType: '', interfaceVersion: 0x34, addrTon: 0, addrNpi: 0, addressRange: '' }
  socket.write(pduOctets('bind_receiver', 0, 1, { systemId: 'a', password: 'b', ...bind }))
  socket.resume()
  await once(socket, 'close')
  assert.deepEqual(closed, ['no bind in time', 'no response to enquire_link'])
})

test('submits during a server unbind are temporary failures, after a client unbind permanent', async () => {
  const open: (() => void)[] = []
  const { port, sessions } = await listen({
    submit: () => new Promise((resolve) => open.push(() => resolve({ status: 0, messageId: 'm' }))),
  })
  const byServer = await SmppClient.connect(port)
  const byClient = await SmppClient.connect(port)
  addCleanup(() => Promise.all([byServer.close(), byClient.close()]))
  for (const client of [byServer, byClient]) await client.bind('a', 'b')
  const first = [byServer.submit(), byClient.submit()]
  await waitFor('both submits', () => open.length === 2)
  const ended = sessions[0]!.unbind('test', 2_000)
  assert.equal((await byServer.submit()).status, statuses.ESME_RSYSERR)
  const unbound = byClient.request('unbind', {})
  assert.equal((await byClient.submit()).status, statuses.ESME_RINVBNDSTS)
  for (const answer of open) answer()
  assert.deepEqual(
    (await Promise.all(first)).map(({ status }) => status),
    [0, 0],
  )
  assert.equal((await unbound).kind, 'unbind_resp')
  await ended
})

test('a bound client keeps its session after any number of malformed PDUs', async () => {
  const { port } = await listen()
  const client = await SmppClient.connect(port)
  addCleanup(() => client.close())
  await client.bind('a', 'b')
  // The length of the PDU is 30 octets, which end within its body.
  const truncated = pduOctets('submit_sm', 0, 99, submitBody()).fill(30, 3, 4).subarray(0, 30)
  for (let n = 0; n < 20; n++) client.socket.write(truncated)
  assert.equal((await client.submit()).status, 0)
  assert.deepEqual(
    client.others.map(({ kind, commandStatus }) => [kind, commandStatus]),
    Array.from({ length: 20 }, () => ['generic_nack', statuses.ESME_RINVCMDLEN]),
  )
})
