import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { deliverBody } from '../../support/smpp/fixtures.ts'
import { PeerSession, type Script } from '../../support/smpp/peer.ts'
import type { PeerBehaviour, CarrierPeer, ReceivedSubmission } from './peer.ts'

const commandStatuses: Readonly<Partial<Record<PeerBehaviour, number>>> = {
  accept: 0,
  throttle: 0x58,
  refuse: 0x0b,
  fail: 0x08,
}
const receiptStats = { delivered: 'DELIVRD', failed: 'UNDELIV', pending: 'ENROUTE' } as const

/** Opens an SMPP carrier controlled by tests. */
export async function openSmppPeer(): Promise<CarrierPeer> {
  const received: ReceivedSubmission[] = []
  const sessions: PeerSession[] = []
  let behaviour: PeerBehaviour = 'accept'
  let password = 'secret08'
  let frozen = false
  let isRefusing = false
  let hostile: ((session: PeerSession, sequence: number) => void) | undefined
  let receiptCount = 0

  const script: Script = {
    bind_transceiver(pdu, session) {
      const status = pdu.password === password ? 0 : 0x0e
      session.send('bind_transceiver_resp', status, pdu.sequence, { systemId: 'peer' })
    },
    submit_sm(pdu, session) {
      const id = `id-${received.length}`
      received.push({ id, to: pdu.destination })
      if (hostile !== undefined) {
        const response = hostile
        hostile = undefined
        return response(session, pdu.sequence)
      }
      if (behaviour === 'hang-up') return void session.socket.destroy()
      const status = commandStatuses[behaviour]
      if (status === undefined) return
      session.send('submit_sm_resp', status, pdu.sequence, { messageId: status === 0 ? id : '' })
    },
  }
  const server = createServer((socket) => {
    if (isRefusing) return void socket.destroy()
    const session = new PeerSession(socket, script)
    sessions.push(session)
    if (frozen) socket.pause()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const options = {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    systemId: 'postern',
    password,
    reconnectMinMs: 10,
    reconnectMaxMs: 50,
    loginPauseMs: 100,
    responseTimeoutMs: 2_000,
    enquireIntervalMs: 100,
    enquireTimeoutMs: 2_000,
    bindTimeoutMs: 2_000,
    stopTimeoutMs: 2_000,
    throttleRetryMs: 10,
    window: 5,
  }
  const findBoundSession = (): PeerSession | undefined =>
    sessions.findLast((session) => !session.closed && session.of('bind_transceiver').length > 0)

  return {
    options,
    received,
    setBehaviour(next) {
      behaviour = next
    },
    async sendReceipt({ id, to }, result) {
      const session = findBoundSession()
      if (session === undefined) return false
      const sequence = 100_000 + ++receiptCount
      const stat = receiptStats[result]
      const text = `id:${id} sub:001 dlvrd:001 submit date:2611141200 done date:2611141201 stat:${stat} err:000 text:`
      const before = session.of('deliver_sm_resp').length
      session.send('deliver_sm', 0, sequence, deliverBody({ source: to }, text))
      return (await session.got('deliver_sm_resp', before + 1)).commandStatus === 0
    },
    refuseConnections() {
      isRefusing = true
      for (const { socket } of sessions) socket.destroy()
      return Promise.resolve()
    },
    freeze() {
      frozen = true
      for (const { socket } of sessions) socket.pause()
    },
    resume() {
      isRefusing = false
      frozen = false
      for (const { socket } of sessions) socket.resume()
      return Promise.resolve()
    },
    rotateCredentials() {
      password = 'another8'
      return { ...options, password }
    },
    hostileResponses: {
      'an id of 10,000 characters': () => {
        hostile = (session, sequence) => session.raw(longIdResponse(sequence))
      },
      'a PDU longer than allowed': () => {
        hostile = (session) => session.raw(Buffer.from('7fffffff800000040000000000000001', 'hex'))
      },
      'a PDU shorter than its header': () => {
        hostile = (session) => session.raw(Buffer.from('00000004800000040000000000000001', 'hex'))
      },
      'a page of HTML': () => {
        hostile = (session) => session.raw(Buffer.from('HTTP/1.1 502 Bad Gateway\r\n\r\n<html>'))
      },
    },
    async close() {
      server.close()
      for (const { socket } of sessions) socket.destroy()
      await once(server, 'close')
    },
  }
}

/** Encodes a response by hand, because the codec does not write IDs of this length. */
function longIdResponse(sequence: number): Buffer {
  const id = Buffer.from(`${'x'.repeat(10_000)}\0`)
  const header = Buffer.alloc(16)
  header.writeUInt32BE(header.length + id.length, 0)
  header.writeUInt32BE(0x80000004, 4)
  header.writeUInt32BE(sequence, 12)
  return Buffer.concat([header, id])
}
